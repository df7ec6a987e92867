import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteExpiredKeys } from './stored-responses.ts'
import { gate, createIdempotencyHarness, type Instance } from './idempotency.fixture.ts'
import { newId } from '../values/ids.ts'
import { conflict, DomainError, forbidden, invalid, missing, unavailable } from '../errors/problem.ts'

let harness: Awaited<ReturnType<typeof createIdempotencyHarness>>
let instance: Instance
let other: Instance
let user: string
let key: string

beforeAll(async () => {
  harness = await createIdempotencyHarness()
  instance = harness.start()
  other = harness.start()
})
afterAll(() => harness.close())
beforeEach(() => {
  user = newId()
  key = newId()
  harness.behavior.work = async () => undefined
  harness.behavior.beforeTransaction = async () => undefined
})

interface Write {
  name?: string
  key?: string | string[] | null
  url?: string
  at?: Instance
  as?: string | null
  body?: object
}

async function write(given: Write = {}) {
  const { name = user, url = '/effects', at = instance, as = user } = given
  const sent = given.key === undefined ? key : given.key
  const headers = {
    ...(as && { authorization: `Bearer ${as}` }),
    ...(sent !== null && { 'idempotency-key': sent }),
  }
  const response = await at.app.inject({ method: 'POST', url, headers, payload: given.body ?? { name } })
  const body = response.json<{ id: number; code: string; details: unknown }>()
  return { status: response.statusCode, type: response.headers['content-type'], body }
}

async function effects(name = user): Promise<number> {
  const rows = await harness.database.admin('select count(*)::int as count from catalog.effects where key = $1', [name])
  return Number(rows[0]?.['count'])
}

describe('a write with an Idempotency-Key', () => {
  it('runs once and returns the stored response, also in another process and after a restart', async () => {
    const first = await write()
    expect(first).toEqual({
      status: 201,
      type: 'application/json; charset=utf-8',
      body: { id: expect.any(Number), name: user },
    })
    expect(await write()).toEqual(first)
    expect(await write({ at: other })).toEqual(first)
    const restarted = harness.start()
    expect(await write({ at: restarted })).toEqual(first)
    expect(await effects()).toBe(1)
  })

  it('runs for every request without a key', async () => {
    await write({ key: null })
    await write({ key: null })
    expect(await effects()).toBe(2)
  })

  // This test fails without `tryLock`: as many requests as the pool has connections would run.
  it('runs once for 20 concurrent requests in two processes; the others get its response or 409', async () => {
    const hold = gate()
    harness.behavior.work = () => hold.pass()
    const pending = Promise.all(Array.from({ length: 20 }, (_, index) => write({ at: index % 2 ? other : instance })))
    await eventually(() => hold.arrivals() === 1)
    const whileRunning = await write()
    hold.open()
    const responses = await pending
    expect([whileRunning.status, whileRunning.body.code]).toEqual([409, 'idempotency_in_progress'])
    expect(hold.arrivals()).toBe(1)
    expect(await effects()).toBe(1)
    const first = await write()
    expect(first.status).toBe(201)
    const rejected = responses.filter((response) => response.status !== 201)
    expect(responses.filter((response) => response.status === 201)).toEqual(Array(20 - rejected.length).fill(first))
    expect(new Set(rejected.map((response) => response.body.code))).toEqual(new Set(['idempotency_in_progress']))
  })

  it('returns 422 for another body and changes nothing', async () => {
    await write()
    const { status, body } = await write({ name: 'another' })
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await effects('another')).toBe(0)
  })

  it('returns 422 for another id in the path', async () => {
    expect((await write({ url: '/named/1' })).status).toBe(201)
    expect((await write({ url: '/named/1' })).status).toBe(201)
    expect((await write({ url: '/named/2' })).status).toBe(422)
    expect(await effects()).toBe(1)
  })

  it('ignores field order and unknown fields of the body', async () => {
    const first = await write({ body: { name: user, note: 'n' } })
    expect(await write({ body: { unknown: 1, note: 'n', name: user } })).toEqual(first)
    expect((await write({ body: { name: user } })).status).toBe(422)
  })

  it('runs once per user, route and key', async () => {
    const otherUser = newId()
    const ids = [
      (await write()).body.id,
      (await write({ as: otherUser })).body.id,
      (await write({ url: '/others' })).body.id,
      (await write({ key: `${key} !` })).body.id,
    ]
    expect(new Set(ids).size).toBe(4)
  })

  it('stores nothing if the connection ends before the commit, and runs later', async () => {
    harness.behavior.work = async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await harness.database.admin('select pg_terminate_backend($1)', [rows[0]?.pid])
    }
    expect((await write()).status).toBe(503)
    expect(await effects()).toBe(0)
    harness.behavior.work = async () => undefined
    expect((await write()).status).toBe(201)
    expect(await effects()).toBe(1)
  })

  it.each([
    [403, forbidden('own_listing', 'This is yours.')],
    [404, missing('listing')],
    [409, conflict('ended', 'This has ended.', { current_bid: 1200 })],
  ])('stores a response of %i and rolls its work back', async (status, rejection) => {
    harness.behavior.work = async () => {
      throw rejection
    }
    const first = await write()
    expect(first.status).toBe(status)
    harness.behavior.work = async () => undefined
    expect(await write({ at: other })).toEqual(first)
    expect(await effects()).toBe(0)
  })

  it('stores a rejection that follows a failed statement', async () => {
    harness.behavior.work = async (trx) => {
      await sql`select 1 / 0`.execute(trx).catch(() => {
        throw conflict('taken', 'Another request was faster.')
      })
    }
    const first = await write()
    expect([first.status, first.body.code]).toEqual([409, 'taken'])
    expect(await write()).toEqual(first)
  })

  it.each([
    [400, invalid('name', 'No.')],
    [429, new DomainError('limited', 'too_many_requests', 'Slow down.')],
    [503, unavailable('Catalog')],
    [500, new Error('a bug')],
  ])('does not store a response of %i', async (status, error) => {
    harness.behavior.work = async () => {
      throw error
    }
    expect((await write()).status).toBe(status)
    harness.behavior.work = async () => undefined
    expect((await write()).status).toBe(201)
    expect(await effects()).toBe(1)
  })

  it('accepts a key again after an invalid body', async () => {
    expect((await write({ body: { name: 7 } })).status).toBe(400)
    expect((await write()).status).toBe(201)
  })

  it.each(['', 'x'.repeat(256), 'schlüssel', 'a\u007f'])('returns 400 for the key %j', async (wrong) => {
    const { status, body } = await write({ key: wrong })
    expect([status, body.details]).toEqual([400, [expect.objectContaining({ path: 'Idempotency-Key' })]])
    expect(await effects()).toBe(0)
  })

  it('accepts a key of 255 characters', async () => {
    const longest = { key: `${key} ~!"`.padEnd(255, 'x') }
    expect(await write(longest)).toEqual(await write(longest))
    expect(await effects()).toBe(1)
  })

  it('ignores the key of a signed-out caller', async () => {
    await write({ url: '/open', as: null })
    await write({ url: '/open', as: null })
    expect(await effects()).toBe(2)
  })

  it('expires after 24 hours, before and after the sweep', async () => {
    await write()
    const age = (hours: number) =>
      harness.database.admin(`update catalog.idempotency_keys set created_at = now() - make_interval(hours => $1)`, [
        hours,
      ])
    await age(23)
    await deleteExpiredKeys(instance.db)
    await write()
    expect(await effects()).toBe(1)
    await age(25)
    await write()
    await write()
    expect(await effects()).toBe(2)
    await age(25)
    expect(await deleteExpiredKeys(instance.db)).toBeGreaterThan(0)
    expect(await harness.database.admin('select * from catalog.idempotency_keys')).toEqual([])
  })
})

describe('an idempotent write that first calls another service', () => {
  it('makes the call once and not for a repeat', async () => {
    let calls = 0
    harness.behavior.beforeTransaction = async () => void (calls += 1)
    const first = await write({ url: '/after' })
    harness.behavior.beforeTransaction = async () => {
      throw unavailable('Catalog')
    }
    expect(await write({ url: '/after', at: other })).toEqual(first)
    expect([first.status, calls, await effects()]).toEqual([201, 1, 1])
    expect((await write({ url: '/after', name: 'another' })).status).toBe(422)
  })

  it('stores a rejection by the other service but not its unavailability', async () => {
    harness.behavior.beforeTransaction = async () => {
      throw unavailable('Catalog')
    }
    expect((await write({ url: '/after' })).status).toBe(503)
    harness.behavior.beforeTransaction = async () => {
      throw missing('listing')
    }
    const rejection = await write({ url: '/after' })
    expect(rejection.status).toBe(404)
    harness.behavior.beforeTransaction = async () => undefined
    expect(await write({ url: '/after' })).toEqual(rejection)
    expect((await write({ url: '/after', key: null })).status).toBe(201)
    expect(await effects()).toBe(1)
  })
})
