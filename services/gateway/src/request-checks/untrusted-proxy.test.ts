import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { warnWithoutTrustedProxies } from './untrusted-proxy.ts'

/** Returns the messages logged at start and during requests with an X-Forwarded-For header from 127.0.0.1. */
async function messagesOf(origin: string, proxies: string[], requests = 3): Promise<string[]> {
  const messages: string[] = []
  const log = { warn: (_fields: object, message: string) => void messages.push(message) }
  const app = fastify({ trustProxy: proxies.length > 0 ? proxies : false })
  warnWithoutTrustedProxies(app, { PUBLIC_ORIGIN: origin, TRUSTED_PROXIES: proxies }, log)
  for (let sent = 0; sent < requests; sent += 1) {
    await app.inject({ url: '/', headers: { 'x-forwarded-for': '203.0.113.1' } })
  }
  await app.close()
  return messages
}

const atStart = 'no proxy trusted; users share rate limits'
const once = 'x-forwarded-for ignored; sender not trusted'

describe('the warning about TRUSTED_PROXIES', () => {
  it.each([
    ['at start behind TLS, and once for many forwarded requests', 'https://shop.example', [], [atStart, once]],
    ['once when a proxy outside the list forwards', 'https://shop.example', ['10.0.0.0/8'], [once]],
    ['never with the proxy in the list', 'https://shop.example', ['127.0.0.1'], []],
    ['once on a laptop whose requests are forwarded', 'http://localhost:8080', [], [once]],
  ])('R5 is logged %s', async (_when, origin, proxies: string[], messages) => {
    expect(await messagesOf(origin, proxies)).toEqual(messages)
  })

  it('R5 is not logged on a laptop without a proxy', async () => {
    expect(await messagesOf('http://localhost:8080', [], 0)).toEqual([])
  })
})
