import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewaySettings, type GatewayConfig } from '../config.ts'
import { sendRequest, postJson } from '../testing/send-request.ts'
import { expiredSession } from '../testing/fake-users.ts'
import { cookieHeader } from '../testing/sign-in.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const running: { harness?: Harness } = {}

afterEach(async () => {
  await running.harness?.stop()
  delete running.harness
})

// The limiter's clock is fixed, so that no token is refilled during a test.
async function start(overrides: Partial<GatewayConfig>): Promise<Harness> {
  const harness = await createHarness({ LIMIT_WRITES_PER_SECOND: 0.01, ...overrides }, () => 0)
  running.harness = harness
  return harness
}

const times = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

// Makes the calls in groups of 100, to limit the number of open sockets.
async function inTurns<Value>(total: number, make: (index: number) => Promise<Value>): Promise<Value[]> {
  const results: Value[] = []
  for (let first = 0; first < total; first += 100) {
    results.push(...(await times(Math.min(100, total - first), (index) => make(first + index))))
  }
  return results
}

const count = (statuses: readonly { status: number }[], status: number) =>
  statuses.filter((response) => response.status === status).length

const { shape } = gatewaySettings
const limitOf = (name: 'LIMIT_ADDRESS_WRITE_BURST' | 'LIMIT_WEBHOOK_BURST') => shape[name].parse(undefined)

describe('request limits', () => {
  it('L14 R5 reject the writes of many accounts of one address above its burst, and no other address’s', async () => {
    const burst = limitOf('LIMIT_ADDRESS_WRITE_BURST')
    const harness = await start({ LIMIT_ADDRESS_WRITE_BURST: burst, TRUSTED_PROXIES: ['127.0.0.1'] })
    const people = await times(10, (index) => harness.keys.token(randomUser(`Person ${index}`)))
    const track = (index: number, address: string) => {
      const access = people[index % people.length] ?? ''
      const cookie = cookieHeader(harness, { access })
      return postJson(harness.port, '/api/search/track', {}, { cookie, 'x-forwarded-for': address })
    }
    const responses = await inTurns(burst + 10, (index) => track(index, `2001:db8:1:2::${index}`))

    expect([count(responses, 200), count(responses, 429)]).toEqual([burst, 10])
    expect((await track(0, '2001:db8:1:3::1')).status).toBe(200)
  })

  it('W6 reject webhooks of one address above the burst, before their service gets them', async () => {
    const burst = limitOf('LIMIT_WEBHOOK_BURST')
    const harness = await start({ LIMIT_WEBHOOK_BURST: burst, TRUSTED_PROXIES: ['127.0.0.1'] })
    const hook = (address: string) => postJson(harness.port, '/api/stripe/webhook', {}, { 'x-forwarded-for': address })
    const responses = await inTurns(burst + 10, () => hook('203.0.113.1'))

    expect([count(responses, 200), count(responses, 429)]).toEqual([burst, 10])
    expect(harness.upstreams.payments.received.length).toBe(burst)
    expect((await hook('203.0.113.2')).status).toBe(200)
  })

  it('L14 reject a user’s writes above the burst, and no other user’s', async () => {
    const harness = await start({ LIMIT_WRITE_BURST: 20 })
    const [bot, other] = await Promise.all([harness.keys.token(randomUser()), harness.keys.token(randomUser('Bob'))])
    const bid = (access: string) =>
      postJson(harness.port, '/api/bids', {}, { cookie: cookieHeader(harness, { access }) })
    const responses = await times(200, () => bid(bot))

    expect([count(responses, 200), count(responses, 429)]).toEqual([20, 180])
    const refused = responses.find(({ status }) => status === 429)
    expect(refused?.json()).toEqual({ error: 'Too many requests. Please slow down.', code: 'too_many_requests' })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(90)
    expect(harness.upstreams.auction.received.length).toBe(20)
    expect((await bid(other)).status).toBe(200)
  })

  it('R5 count one address once, whatever its forwarding headers and path spellings', async () => {
    const harness = await start({ LIMIT_READS_PER_SECOND: 20 })
    const paths = ['/api/categories', '/api/categories?x=1', '/api/search/../categories', '/API/categories']
    const responses = await times(100, (index) =>
      sendRequest(harness.port, {
        path: paths[index % paths.length] ?? '',
        headers: {
          'x-forwarded-for': `10.0.0.${index}`,
          forwarded: `for=10.0.0.${index}`,
          'x-real-ip': `10.1.0.${index}`,
        },
      }),
    )

    // 50 of the 100 requests match no route. They are rejected before the rate limit counts them.
    expect([count(responses, 200), count(responses, 429)]).toEqual([20, 30])
  })

  it('R5 use the address that a trusted proxy forwards, and count an IPv6 /64 network as one client', async () => {
    const harness = await start({ LIMIT_SIGN_INS_PER_MINUTE: 2, TRUSTED_PROXIES: ['127.0.0.1'] })
    const signIn = (address: string) =>
      postJson(harness.port, '/api/sessions', { code: 'x' }, { 'x-forwarded-for': address }).then(
        ({ status }) => status,
      )

    expect([await signIn('203.0.113.1'), await signIn('203.0.113.1'), await signIn('203.0.113.1')]).toEqual([
      200, 200, 429,
    ])
    expect(await signIn('203.0.113.2')).toBe(200)
    // The proxy adds the last address. The client may have sent the ones before it.
    expect(await signIn('198.51.100.9, 203.0.113.1')).toBe(429)
    const network = ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff::9', '2001:db8:1:2:3:4:5:6', '2001:db8:1:3::1']
    expect([
      await signIn(network[0] ?? ''),
      await signIn(network[1] ?? ''),
      await signIn(network[2] ?? ''),
      await signIn(network[3] ?? ''),
    ]).toEqual([200, 200, 429, 200])
  })

  it('count a signed-in user separately from the address, and across addresses', async () => {
    const harness = await start({ LIMIT_READS_PER_SECOND: 1, TRUSTED_PROXIES: ['127.0.0.1'] })
    const cookie = cookieHeader(harness, { access: await harness.keys.token(randomUser()) })
    const read = (address: string, headers = {}) =>
      sendRequest(harness.port, { path: '/api/listings', headers: { 'x-forwarded-for': address, ...headers } })
    const [asUser, elsewhere, signedOut] = [
      await read('203.0.113.1', { cookie }),
      await read('203.0.113.2', { cookie }),
      await read('203.0.113.1'),
    ]

    expect([asUser.status, elsewhere.status, signedOut.status]).toEqual([200, 429, 200])
  })

  it('limit the refresh calls to users to the requests allowed for the address', async () => {
    const harness = await start({ LIMIT_READS_PER_SECOND: 10 })
    harness.users.respond = async () => expiredSession()
    const responses = await times(60, (index) =>
      sendRequest(harness.port, {
        path: '/api/users/me',
        headers: { cookie: cookieHeader(harness, { refresh: `made-up-${index}` }) },
      }),
    )

    expect([count(responses, 401), count(responses, 429)]).toEqual([10, 50])
    expect(harness.users.refreshes.length).toBe(10)
  })

  it('accept pages and the provider’s webhook when an address has used up its reads and writes', async () => {
    const harness = await start({ LIMIT_READS_PER_SECOND: 1, LIMIT_WRITE_BURST: 1 })
    const listing = `/api/listings/${newId()}`
    await times(5, () => sendRequest(harness.port, { path: listing }))
    const page = await sendRequest(harness.port, { path: '/sign-in' })
    const hooks = await times(20, () => postJson(harness.port, '/api/stripe/webhook', {}))

    expect([page.status, count(hooks, 200)]).toEqual([200, 20])
  })
})
