import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unauthenticated } from '../errors/problem.ts'
import { openLog } from '../telemetry/log.ts'
import { buildPublicApp, type PublicApp } from './http.ts'

let app: PublicApp
const long = { text: 'brass lamp '.repeat(200) }
const short = { text: 'x'.repeat(900) }

beforeAll(async () => {
  const verifyToken = async () => {
    throw unauthenticated()
  }
  app = buildPublicApp({ name: 'test', log: openLog('test', 'silent'), verifyToken })
  app.register(async (scope) => {
    scope.get('/long', { config: { open: true, compress: true } }, async () => long)
    scope.get('/short', { config: { open: true, compress: true } }, async () => short)
    scope.get('/secret', { config: { open: true } }, async () => long)
    scope.post('/write', { config: { open: true } }, async () => ({ ok: true }))
  })
  await app.ready()
})
afterAll(() => app.close())

const get = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

describe('a response of a route with `compress`', () => {
  it('is compressed with brotli, else gzip', async () => {
    const brotli = await get('/long', 'gzip, deflate, br')
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual(long)
    expect(brotli.rawPayload.length).toBeLessThan(200)
    const gzip = await get('/long', 'gzip, br;q=0')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toEqual(long)
  })

  it.each([undefined, 'identity', 'x', ''])('is sent as it is to a client that accepts %j', async (encoding) => {
    const response = await get('/long', encoding)
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, undefined])
    expect(response.json()).toEqual(long)
  })

  it('is sent as it is below 1 kB', async () => {
    const response = await get('/short', 'br')
    expect([response.headers['content-encoding'], response.json()]).toEqual([undefined, short])
  })
})

it('no other response is compressed, whatever the client accepts', async () => {
  const response = await get('/secret', 'gzip, br')
  expect([response.headers['content-encoding'], response.json()]).toEqual([undefined, long])
})

it('S14 no request body is decompressed', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  expect((await app.inject({ method: 'POST', url: '/write', headers, payload: 'x' })).statusCode).toBe(400)
})
