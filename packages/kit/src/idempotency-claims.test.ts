import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findAnswers, storeAnswers } from './idempotency-answers.ts'
import { gate, idempotencyStage, type Pod } from './idempotency.fixture.ts'
import type { KeyedRequest } from './idempotency-key.ts'
import { newId } from './ids.ts'
import { conflict, invalid, unavailable } from './problem.ts'

let stage: Awaited<ReturnType<typeof idempotencyStage>>
let pod: Pod
let other: Pod
let user: string

beforeAll(async () => {
  stage = await idempotencyStage()
  pod = stage.start()
  other = stage.start()
})
afterAll(() => stage.close())
beforeEach(() => {
  user = newId()
  stage.play.outside = async () => undefined
})

async function checkOut(at = pod, name = user) {
  const response = await at.app.inject({
    method: 'POST',
    url: '/calls',
    headers: { authorization: `Bearer ${user}`, 'idempotency-key': 'checkout' },
    payload: { name },
  })
  return { status: response.statusCode, body: response.json<{ code: string }>() }
}

async function letTimePass(): Promise<void> {
  await stage.database.admin(`update catalog.idempotency_keys set running_until = now() where user_id = $1`, [user])
}

describe('a keyed write over several calls', () => {
  it('runs once and gives its first answer again', async () => {
    const first = await checkOut()
    expect(first.status).toBe(201)
    expect(await checkOut(other)).toEqual(first)
    expect((await checkOut(pod, 'another')).status).toBe(422)
  })

  // Red without the `where` of the claim's `do update`: then each of them runs.
  it('runs once when 20 come at once in two processes; the others are 409 meanwhile', async () => {
    const hold = gate()
    stage.play.outside = hold.pass
    const answering = Promise.all(Array.from({ length: 20 }, (_, index) => checkOut(index % 2 ? other : pod)))
    await eventually(() => hold.arrivals() === 1)
    const whileRunning = await checkOut()
    hold.open()
    const answers = await answering
    const first = await checkOut()
    expect([whileRunning.body.code, hold.arrivals()]).toEqual(['idempotency_in_progress', 1])
    const refused = answers.filter((answer) => answer.status !== 201)
    expect(answers.filter((answer) => answer.status === 201)).toEqual(Array(20 - refused.length).fill(first))
    expect(new Set(refused.map((answer) => answer.body.code))).toEqual(new Set(['idempotency_in_progress']))
  })

  it('is taken over once its time is over, and the first then finishes nothing', async () => {
    const frozen = gate()
    stage.play.outside = frozen.pass
    const first = checkOut()
    await eventually(() => frozen.arrivals() === 1)
    stage.play.outside = async () => undefined
    expect((await checkOut(other)).body.code).toBe('idempotency_in_progress')
    expect((await checkOut(other, 'another')).status).toBe(422)
    await letTimePass()
    expect((await checkOut(other, 'another')).status).toBe(422)
    const successor = await checkOut(other)
    expect(successor.status).toBe(201)
    frozen.open()
    expect((await first).body).not.toEqual(successor.body)
    expect(await checkOut()).toEqual(successor)
  })

  it('repeats a refusal and forgets a failure', async () => {
    for (const passing of [unavailable('The provider'), invalid('name', 'No.'), new Error('a bug')]) {
      stage.play.outside = async () => {
        throw passing
      }
      expect([400, 500, 503]).toContain((await checkOut()).status)
    }
    stage.play.outside = async () => {
      throw conflict('reserved', 'Somebody was faster.')
    }
    const refusal = await checkOut()
    expect(refusal.status).toBe(409)
    stage.play.outside = async () => undefined
    expect(await checkOut(other)).toEqual(refusal)
  })
})

describe('answers stored by a batch', () => {
  const keyed = (key: string, body = 'a'): KeyedRequest => ({
    id: `${user} POST /bids ${key}`,
    userId: user,
    route: 'POST /bids',
    key,
    bodyHash: Buffer.alloc(32, body),
  })
  const success = { isRefusal: false as const, status: 201, body: { id: 'b' } }
  const refusal = { isRefusal: true as const, status: 409, body: { error: 'Too low.', code: 'bid_too_low' } }

  it('are read many at once, by key and body', async () => {
    await pod.db.transaction().execute((trx) =>
      storeAnswers(trx, [
        { keyed: keyed('1'), answer: success },
        { keyed: keyed('2'), answer: refusal },
      ]),
    )
    const known = await findAnswers(other.db, [keyed('2'), keyed('1', 'other'), keyed('3')])
    expect(known.size).toBe(2)
    expect(known.get(keyed('2').id)).toMatchObject({ state: 'done', answer: refusal })
    expect(known.get(keyed('1').id)).toEqual({ state: 'reused' })
    expect(await findAnswers(pod.db, [])).toEqual(new Map())
  })

  // Red without `on conflict`: the second batch breaks instead of hearing which keys were taken.
  it('tell which keys another batch has answered, waiting for its commit', async () => {
    await pod.db.transaction().execute((trx) => storeAnswers(trx, [{ keyed: keyed('1'), answer: success }]))
    const taken = await other.db.transaction().execute((trx) =>
      storeAnswers(trx, [
        { keyed: keyed('2'), answer: success },
        { keyed: keyed('1'), answer: refusal },
      ]),
    )
    expect(taken).toEqual(new Set([keyed('1').id]))
    expect((await findAnswers(pod.db, [keyed('1')])).get(keyed('1').id)).toMatchObject({ answer: success })
  })

  // Red without the sort in `storeAnswers`: a deadlock.
  it('do not lock each other out when two batches share keys in different order', async () => {
    const size = 2000
    const keys = Array.from({ length: size }, (_, index) => keyed(String(index)))
    const answers = keys.map((keyed) => ({ keyed, answer: success }))
    const [left, right] = await Promise.all([
      pod.db.transaction().execute((trx) => storeAnswers(trx, answers)),
      other.db.transaction().execute((trx) => storeAnswers(trx, answers.toReversed())),
    ])
    expect([left.size, right.size].toSorted((a, b) => a - b)).toEqual([0, size])
  })
})
