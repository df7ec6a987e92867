import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayConfig } from '../config.ts'
import { ask, post } from '../testing/ask.ts'
import { sessionOver } from '../testing/fake-users.ts'
import { cookieLine } from '../testing/sign-in.ts'
import { startStage, type Stage } from '../testing/stage.ts'

const running: { stage?: Stage } = {}

afterEach(async () => {
  await running.stage?.stop()
  delete running.stage
})

// Its limits' clock stands still, however long a test takes: nothing is refilled.
async function start(overrides: Partial<GatewayConfig>): Promise<Stage> {
  const stage = await startStage({ LIMIT_WRITES_PER_SECOND: 0.01, ...overrides }, () => 0)
  running.stage = stage
  return stage
}

const times = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const count = (statuses: readonly { status: number }[], status: number) =>
  statuses.filter((answer) => answer.status === status).length

describe('request limits', () => {
  it('L14 stops a user at the burst of writes, and nobody else', async () => {
    const stage = await start({ LIMIT_WRITE_BURST: 20 })
    const [bot, other] = await Promise.all([stage.keys.token(someone()), stage.keys.token(someone('Bob'))])
    const bid = (access: string) => post(stage.port, '/api/bids', {}, { cookie: cookieLine(stage, { access }) })
    const answers = await times(200, () => bid(bot))

    expect([count(answers, 200), count(answers, 429)]).toEqual([20, 180])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.json()).toEqual({ error: 'Too many requests. Please slow down.', code: 'too_many_requests' })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(90)
    expect(stage.upstreams.auction.seen.length).toBe(20)
    expect((await bid(other)).status).toBe(200)
  })

  it('R5 counts an address once, whatever it says it forwards, and however the path and the protocol are spelt', async () => {
    const stage = await start({ LIMIT_READS_PER_SECOND: 20 })
    const paths = ['/api/categories', '/api/categories?x=1', '/api/search/../categories', '/API/categories']
    const answers = await times(100, (index) =>
      ask(stage.port, {
        path: paths[index % paths.length] ?? '',
        headers: {
          'x-forwarded-for': `10.0.0.${index}`,
          forwarded: `for=10.0.0.${index}`,
          'x-real-ip': `10.1.0.${index}`,
        },
      }),
    )

    // The other half names nothing, and is refused before it counts.
    expect([count(answers, 200), count(answers, 429)]).toEqual([20, 30])
  })

  it('R5 believes a forwarded address of a trusted proxy alone, and takes an IPv6 network for one client', async () => {
    const stage = await start({ LIMIT_SIGN_INS_PER_MINUTE: 2, TRUSTED_PROXIES: ['127.0.0.1'] })
    const signIn = (address: string) =>
      post(stage.port, '/api/sessions', { code: 'x' }, { 'x-forwarded-for': address }).then(({ status }) => status)

    expect([await signIn('203.0.113.1'), await signIn('203.0.113.1'), await signIn('203.0.113.1')]).toEqual([
      200, 200, 429,
    ])
    expect(await signIn('203.0.113.2')).toBe(200)
    // The last hop is the proxy's word; what stands before it is the client's own.
    expect(await signIn('198.51.100.9, 203.0.113.1')).toBe(429)
    const network = ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff::9', '2001:db8:1:2:3:4:5:6', '2001:db8:1:3::1']
    expect([
      await signIn(network[0] ?? ''),
      await signIn(network[1] ?? ''),
      await signIn(network[2] ?? ''),
      await signIn(network[3] ?? ''),
    ]).toEqual([200, 200, 429, 200])
  })

  it('counts a signed-in user apart from the address, wherever the request comes from', async () => {
    const stage = await start({ LIMIT_READS_PER_SECOND: 1, TRUSTED_PROXIES: ['127.0.0.1'] })
    const cookie = cookieLine(stage, { access: await stage.keys.token(someone()) })
    const read = (address: string, headers = {}) =>
      ask(stage.port, { path: '/api/listings', headers: { 'x-forwarded-for': address, ...headers } })
    const [asUser, elsewhere, signedOut] = [
      await read('203.0.113.1', { cookie }),
      await read('203.0.113.2', { cookie }),
      await read('203.0.113.1'),
    ]

    expect([asUser.status, elsewhere.status, signedOut.status]).toEqual([200, 429, 200])
  })

  it('asks users for no more refreshes than an address may make requests', async () => {
    const stage = await start({ LIMIT_READS_PER_SECOND: 10 })
    stage.users.answer = async () => sessionOver()
    const answers = await times(60, (index) =>
      ask(stage.port, {
        path: '/api/users/me',
        headers: { cookie: cookieLine(stage, { refresh: `made-up-${index}` }) },
      }),
    )

    expect([count(answers, 401), count(answers, 429)]).toEqual([10, 50])
    expect(stage.users.refreshes.length).toBe(10)
  })

  it('leaves pages and the provider’s webhook alone when an address has had its reads and writes', async () => {
    const stage = await start({ LIMIT_READS_PER_SECOND: 1, LIMIT_WRITE_BURST: 1 })
    const listing = `/api/listings/${newId()}`
    await times(5, () => ask(stage.port, { path: listing }))
    const page = await ask(stage.port, { path: '/sign-in' })
    const hooks = await times(20, () => post(stage.port, '/api/stripe/webhook', {}))

    expect([page.status, count(hooks, 200)]).toEqual([200, 20])
  })
})
