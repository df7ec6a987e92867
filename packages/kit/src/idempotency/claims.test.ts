import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findResponses, storeResponses } from './stored-responses.ts'
import { gate, createIdempotencyHarness, type Instance } from './idempotency.fixture.ts'
import type { IdempotentRequest } from './key.ts'
import { newId } from '../values/ids.ts'
import { conflict, invalid, unavailable } from '../errors/problem.ts'

let harness: Awaited<ReturnType<typeof createIdempotencyHarness>>
let instance: Instance
let other: Instance
let user: string

beforeAll(async () => {
  harness = await createIdempotencyHarness()
  instance = harness.start()
  other = harness.start()
})
afterAll(() => harness.close())
beforeEach(() => {
  user = newId()
  harness.behavior.beforeTransaction = async () => undefined
})

async function checkOut(at = instance, name = user) {
  const response = await at.app.inject({
    method: 'POST',
    url: '/calls',
    headers: { authorization: `Bearer ${user}`, 'idempotency-key': 'checkout' },
    payload: { name },
  })
  return { status: response.statusCode, body: response.json<{ code: string }>() }
}

async function expireLease(): Promise<void> {
  await harness.database.admin(`update catalog.idempotency_keys set running_until = now() where user_id = $1`, [user])
}

describe('an idempotent write across calls', () => {
  it('runs once and returns the stored response to repeats', async () => {
    const first = await checkOut()
    expect(first.status).toBe(201)
    expect(await checkOut(other)).toEqual(first)
    expect((await checkOut(instance, 'another')).status).toBe(422)
  })

  // This test fails without the `where` of the claim's `do update`: each request would run.
  it('runs once for 20 concurrent requests in two processes; the others get 409', async () => {
    const hold = gate()
    harness.behavior.beforeTransaction = hold.pass
    const pending = Promise.all(Array.from({ length: 20 }, (_, index) => checkOut(index % 2 ? other : instance)))
    await eventually(() => hold.arrivals() === 1)
    const whileRunning = await checkOut()
    hold.open()
    const responses = await pending
    const first = await checkOut()
    expect([whileRunning.body.code, hold.arrivals()]).toEqual(['idempotency_in_progress', 1])
    const rejected = responses.filter((response) => response.status !== 201)
    expect(responses.filter((response) => response.status === 201)).toEqual(Array(20 - rejected.length).fill(first))
    expect(new Set(rejected.map((response) => response.body.code))).toEqual(new Set(['idempotency_in_progress']))
  })

  it('is taken over after its lease expires; the first run stores nothing', async () => {
    const frozen = gate()
    harness.behavior.beforeTransaction = frozen.pass
    const first = checkOut()
    await eventually(() => frozen.arrivals() === 1)
    harness.behavior.beforeTransaction = async () => undefined
    expect((await checkOut(other)).body.code).toBe('idempotency_in_progress')
    expect((await checkOut(other, 'another')).status).toBe(422)
    await expireLease()
    expect((await checkOut(other, 'another')).status).toBe(422)
    const successor = await checkOut(other)
    expect(successor.status).toBe(201)
    frozen.open()
    expect((await first).body).not.toEqual(successor.body)
    expect(await checkOut()).toEqual(successor)
  })

  it('stores a rejection but not a failure', async () => {
    for (const unstored of [unavailable('The provider'), invalid('name', 'No.'), new Error('a bug')]) {
      harness.behavior.beforeTransaction = async () => {
        throw unstored
      }
      expect([400, 500, 503]).toContain((await checkOut()).status)
    }
    harness.behavior.beforeTransaction = async () => {
      throw conflict('reserved', 'Another request was faster.')
    }
    const rejection = await checkOut()
    expect(rejection.status).toBe(409)
    harness.behavior.beforeTransaction = async () => undefined
    expect(await checkOut(other)).toEqual(rejection)
  })
})

describe('responses stored by a batch', () => {
  const keyed = (key: string, body = 'a'): IdempotentRequest => ({
    id: `${user} POST /bids ${key}`,
    userId: user,
    route: 'POST /bids',
    key,
    bodyHash: Buffer.alloc(32, body),
  })
  const success = { isError: false as const, status: 201, body: { id: 'b' } }
  const rejection = { isError: true as const, status: 409, body: { error: 'Too low.', code: 'bid_too_low' } }

  it('are found by key and body in one statement', async () => {
    await instance.db.transaction().execute((trx) =>
      storeResponses(trx, [
        { keyed: keyed('1'), response: success },
        { keyed: keyed('2'), response: rejection },
      ]),
    )
    const states = await findResponses(other.db, [keyed('2'), keyed('1', 'other'), keyed('3')])
    expect(states.size).toBe(2)
    expect(states.get(keyed('2').id)).toMatchObject({ state: 'done', response: rejection })
    expect(states.get(keyed('1').id)).toEqual({ state: 'reused' })
    expect(await findResponses(instance.db, [])).toEqual(new Map())
  })

  // This test fails without `on conflict`: the second batch throws instead of returning the conflicting keys.
  it('return the keys that a concurrent batch stored first', async () => {
    await instance.db.transaction().execute((trx) => storeResponses(trx, [{ keyed: keyed('1'), response: success }]))
    const conflicts = await other.db.transaction().execute((trx) =>
      storeResponses(trx, [
        { keyed: keyed('2'), response: success },
        { keyed: keyed('1'), response: rejection },
      ]),
    )
    expect(conflicts).toEqual(new Set([keyed('1').id]))
    expect((await findResponses(instance.db, [keyed('1')])).get(keyed('1').id)).toMatchObject({ response: success })
  })

  // This test fails without the sort in `storeResponses`: the transactions deadlock.
  it('do not deadlock if two batches contain the same keys in different order', async () => {
    const size = 2000
    const keys = Array.from({ length: size }, (_, index) => keyed(String(index)))
    const responses = keys.map((keyed) => ({ keyed, response: success }))
    const [left, right] = await Promise.all([
      instance.db.transaction().execute((trx) => storeResponses(trx, responses)),
      other.db.transaction().execute((trx) => storeResponses(trx, responses.toReversed())),
    ])
    expect([left.size, right.size].toSorted((a, b) => a - b)).toEqual([0, size])
  })
})
