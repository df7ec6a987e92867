// A service without work: every request gets the same response, of the size of a listing.
import { createServer } from 'node:http'

const body = Buffer.from(JSON.stringify({ listing: 'A brass lamp', description: 'x'.repeat(1400) }))

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})

server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.once('disconnect', () => process.exit())
