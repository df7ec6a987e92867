// The usual alternative: @fastify/http-proxy and jose, which verifies the token of each request, or caches verified
// tokens. Arguments: upstream, URL of the keys, name of the cookie, `kept` to cache.
import httpProxy from '@fastify/http-proxy'
import fastify from 'fastify'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const [upstream = '', keysUrl = '', cookie = '', cachesTokens = ''] = process.argv.slice(2)
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
      if (cachesTokens) verified.add(token)
    } catch {
      await reply.code(401).send()
    }
  },
})

const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
process.send?.({ port: Number(url.port) })
process.once('disconnect', () => process.exit())
