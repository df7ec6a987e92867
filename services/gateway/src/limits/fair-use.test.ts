import type { FastifyReply } from 'fastify'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { sendRequest } from '../testing/send-request.ts'
import { cookieHeader } from '../testing/sign-in.ts'
import { createReadSlots, maxWaiting } from './read-slots.ts'

// The defaults, which config.test.ts verifies.
const defaults = { LIMIT_READS_PER_SECOND: 100, MAX_READS_IN_FLIGHT_PER_USER: 6, MAX_READS_IN_FLIGHT_PER_ADDRESS: 24 }

const running: { harness?: Harness } = {}

afterEach(async () => {
  await running.harness?.stop()
  delete running.harness
})

// The limiter's clock is fixed, so that no token is refilled during a test.
async function start(): Promise<Harness> {
  const harness = await createHarness(defaults, () => 0)
  running.harness = harness
  return harness
}

async function signIn(harness: Harness): Promise<{ cookie: string }> {
  return { cookie: cookieHeader(harness, { access: await harness.keys.token(randomUser()) }) }
}

function statuses(count: number, send: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async (_, index) => (await send(index)).status))
}

const countOf = (status: number, all: readonly number[]) => all.filter((one) => one === status).length

describe('the reads of a client in progress', () => {
  // Holds each request until the test responds.
  function holdRequests(harness: Harness): FastifyReply[] {
    const held: FastifyReply[] = []
    harness.upstreams.catalog.respond = (_request, reply) => {
      held.push(reply)
      return reply
    }
    return held
  }

  it.each([
    ['R32 are 6 for a user', true, 6],
    ['R32 are 24 for an address without a session', false, 24],
  ])('%s; further ones wait, and those of others do not', async (_title, isSignedIn, limit) => {
    const harness = await start()
    const held = holdRequests(harness)
    const headers = isSignedIn ? await signIn(harness) : {}
    const read = (of: object) => sendRequest(harness.port, { path: `/api/listings/${newId()}`, headers: { ...of } })
    const responses = statuses(limit + 3, () => read(headers))
    await eventually(() => held.length === limit)
    const other = read(await signIn(harness))
    await eventually(() => held.length === limit + 1)
    held.pop()?.send({})
    expect((await other).status).toBe(200)
    expect(held.length).toBe(limit)
    // Each response lets the next request proceed.
    while (held.length > 0) {
      held.shift()?.send({})
      if (harness.upstreams.catalog.received.length < limit + 4)
        await eventually(() => held.length >= limit || harness.upstreams.catalog.received.length === limit + 4)
    }
    expect(countOf(200, await responses)).toBe(limit + 3)
  })

  it('R32 have a bounded queue, which a disconnected client leaves', async () => {
    const slots = createReadSlots()
    const client = new AbortController()
    const release = await slots.acquire('one', 1, client.signal)
    const left = new AbortController()
    const leaving = slots.acquire('one', 1, left.signal)
    const waiting = Array.from({ length: maxWaiting - 1 }, () => slots.acquire('one', 1, client.signal))
    await expect(slots.acquire('one', 1, client.signal)).rejects.toMatchObject({ kind: 'limited' })
    left.abort()
    await expect(leaving).rejects.toMatchObject({ kind: 'limited' })
    release()
    // The second call has no effect: a slot that is released twice starts only one waiting read.
    release()
    for (const next of waiting) (await next)()
    const again = await slots.acquire('one', 1, client.signal)
    again()
  })
})

describe('an expensive response', () => {
  it('R33 is charged as several reads, which delays further reads of that client only', async () => {
    const harness = await start()
    harness.upstreams.catalog.respond = (_request, reply) => reply.header('x-request-cost', 33).send({})
    const headers = await signIn(harness)
    const read = (of: object) => sendRequest(harness.port, { path: `/api/listings/${newId()}`, headers: { ...of } })
    const first = await read(headers)
    expect([first.status, first.headers['x-request-cost']]).toEqual([200, undefined])
    expect([await read(headers), await read(headers), await read(headers)].map(({ status }) => status)).toEqual([
      200, 200, 200,
    ])
    const refused = await read(headers)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    expect((await read(await signIn(harness))).status).toBe(200)
  })
})
