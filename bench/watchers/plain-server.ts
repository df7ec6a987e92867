// The lower bound: node:http, which writes each message to all subscribers without any checks.
import { createServer, type ServerResponse } from 'node:http'

const watchers = new Set<ServerResponse>()
let number = 0

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    watchers.add(response)
    return
  }
  number += 1
  response.writeHead(201).end(String(number))
  const text = `id: ${number}\ndata: ${JSON.stringify({ current_bid: number, bid_count: number, is_active: true })}\n\n`
  for (const watcher of watchers) watcher.write(text)
})

server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.once('disconnect', () => process.exit())
