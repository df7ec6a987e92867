// What people would use instead: @fastify/http-proxy and jose, which verifies the token of each request, or keeps what it
// verified. Arguments: upstream, address of the keys, name of the cookie, `kept` or nothing.
import httpProxy from '@fastify/http-proxy'
import fastify from 'fastify'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const [upstream = '', keysUrl = '', cookie = '', kept = ''] = process.argv.slice(2)
const keys = createRemoteJWKSet(new URL('/jwks.json', keysUrl))
const verified = new Set<string>()
const app = fastify()

app.register(httpProxy, {
  upstream,
  undici: { connections: 256 },
  async preHandler(request, reply) {
    const line = request.headers.cookie ?? ''
    const token = line.slice(line.indexOf(`${cookie}=`) + cookie.length + 1).split(';')[0] ?? ''
    if (verified.has(token)) return
    try {
      await jwtVerify(token, keys, { algorithms: ['EdDSA'] })
      if (kept) verified.add(token)
    } catch {
      await reply.code(401).send()
    }
  },
})

const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
process.send?.({ port: Number(url.port) })
process.once('disconnect', () => process.exit())
