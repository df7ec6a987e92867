import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgetOldKeys } from './idempotency-answers.ts'
import { gate, idempotencyStage, type Pod } from './idempotency.fixture.ts'
import { newId } from './ids.ts'
import { conflict, DomainError, forbidden, invalid, missing, unavailable } from './problem.ts'

let stage: Awaited<ReturnType<typeof idempotencyStage>>
let pod: Pod
let other: Pod
let user: string
let key: string

beforeAll(async () => {
  stage = await idempotencyStage()
  pod = stage.start()
  other = stage.start()
})
afterAll(() => stage.close())
beforeEach(() => {
  user = newId()
  key = newId()
  stage.play.work = async () => undefined
  stage.play.outside = async () => undefined
})

interface Write {
  name?: string
  key?: string | string[] | null
  url?: string
  at?: Pod
  as?: string | null
  body?: object
}

async function write(given: Write = {}) {
  const { name = user, url = '/effects', at = pod, as = user } = given
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
  const rows = await stage.database.admin('select count(*)::int as count from catalog.effects where key = $1', [name])
  return Number(rows[0]?.['count'])
}

describe('a write with an Idempotency-Key', () => {
  it('has one effect and gives its first answer again, also from another process and after a restart', async () => {
    const first = await write()
    expect(first).toEqual({
      status: 201,
      type: 'application/json; charset=utf-8',
      body: { id: expect.any(Number), name: user },
    })
    expect(await write()).toEqual(first)
    expect(await write({ at: other })).toEqual(first)
    const restarted = stage.start()
    expect(await write({ at: restarted })).toEqual(first)
    expect(await effects()).toBe(1)
  })

  it('has as many effects as requests without one', async () => {
    await write({ key: null })
    await write({ key: null })
    expect(await effects()).toBe(2)
  })

  // Red without `tryLock`: then each of them works, up to the pool's size.
  it('has one effect when 20 come at once in two processes; the others get it too or 409', async () => {
    const hold = gate()
    stage.play.work = () => hold.pass()
    const answering = Promise.all(Array.from({ length: 20 }, (_, index) => write({ at: index % 2 ? other : pod })))
    await eventually(() => hold.arrivals() === 1)
    const whileRunning = await write()
    hold.open()
    const answers = await answering
    expect([whileRunning.status, whileRunning.body.code]).toEqual([409, 'idempotency_in_progress'])
    expect(hold.arrivals()).toBe(1)
    expect(await effects()).toBe(1)
    const first = await write()
    expect(first.status).toBe(201)
    const refused = answers.filter((answer) => answer.status !== 201)
    expect(answers.filter((answer) => answer.status === 201)).toEqual(Array(20 - refused.length).fill(first))
    expect(new Set(refused.map((answer) => answer.body.code))).toEqual(new Set(['idempotency_in_progress']))
  })

  it('is 422 with another body, and changes nothing', async () => {
    await write()
    const { status, body } = await write({ name: 'another' })
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await effects('another')).toBe(0)
  })

  it('is 422 with another id in the path', async () => {
    expect((await write({ url: '/named/1' })).status).toBe(201)
    expect((await write({ url: '/named/1' })).status).toBe(201)
    expect((await write({ url: '/named/2' })).status).toBe(422)
    expect(await effects()).toBe(1)
  })

  it('takes a body for the same whatever its order and unknown fields', async () => {
    const first = await write({ body: { name: user, note: 'n' } })
    expect(await write({ body: { unknown: 1, note: 'n', name: user } })).toEqual(first)
    expect((await write({ body: { name: user } })).status).toBe(422)
  })

  it('keeps users, routes and keys apart', async () => {
    const someoneElse = newId()
    const ids = [
      (await write()).body.id,
      (await write({ as: someoneElse })).body.id,
      (await write({ url: '/others' })).body.id,
      (await write({ key: `${key} !` })).body.id,
    ]
    expect(new Set(ids).size).toBe(4)
  })

  it('leaves nothing behind when it is cut off before its commit, and then runs', async () => {
    stage.play.work = async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await stage.database.admin('select pg_terminate_backend($1)', [rows[0]?.pid])
    }
    expect((await write()).status).toBe(500)
    expect(await effects()).toBe(0)
    stage.play.work = async () => undefined
    expect((await write()).status).toBe(201)
    expect(await effects()).toBe(1)
  })

  it.each([
    [403, forbidden('own_listing', 'This is yours.')],
    [404, missing('listing')],
    [409, conflict('ended', 'This has ended.', { current_bid: 1200 })],
  ])('repeats a refusal of %i, whose work is undone', async (status, refusal) => {
    stage.play.work = async () => {
      throw refusal
    }
    const first = await write()
    expect(first.status).toBe(status)
    stage.play.work = async () => undefined
    expect(await write({ at: other })).toEqual(first)
    expect(await effects()).toBe(0)
  })

  it('repeats a refusal that followed a broken statement', async () => {
    stage.play.work = async (trx) => {
      await sql`select 1 / 0`.execute(trx).catch(() => {
        throw conflict('taken', 'Somebody was faster.')
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
  ])('forgets an answer of %i', async (status, error) => {
    stage.play.work = async () => {
      throw error
    }
    expect((await write()).status).toBe(status)
    stage.play.work = async () => undefined
    expect((await write()).status).toBe(201)
    expect(await effects()).toBe(1)
  })

  it('does not use the key up by a body that is refused', async () => {
    expect((await write({ body: { name: 7 } })).status).toBe(400)
    expect((await write()).status).toBe(201)
  })

  it.each(['', 'x'.repeat(256), 'schlüssel', 'a\u007f'])('is 400 for the key %j', async (wrong) => {
    const { status, body } = await write({ key: wrong })
    expect([status, body.details]).toEqual([400, [expect.objectContaining({ path: 'Idempotency-Key' })]])
    expect(await effects()).toBe(0)
  })

  it('takes a key of 255 characters', async () => {
    const longest = { key: `${key} ~!"`.padEnd(255, 'x') }
    expect(await write(longest)).toEqual(await write(longest))
    expect(await effects()).toBe(1)
  })

  it('means nothing signed out, where there is nobody to keep an answer for', async () => {
    await write({ url: '/open', as: null })
    await write({ url: '/open', as: null })
    expect(await effects()).toBe(2)
  })

  it('is forgotten after 24 hours, swept or not', async () => {
    await write()
    const age = (hours: number) =>
      stage.database.admin(`update catalog.idempotency_keys set created_at = now() - make_interval(hours => $1)`, [
        hours,
      ])
    await age(23)
    await forgetOldKeys(pod.db)
    await write()
    expect(await effects()).toBe(1)
    await age(25)
    await write()
    await write()
    expect(await effects()).toBe(2)
    await age(25)
    expect(await forgetOldKeys(pod.db)).toBeGreaterThan(0)
    expect(await stage.database.admin('select * from catalog.idempotency_keys')).toEqual([])
  })
})

describe('a write that asks somebody first', () => {
  it('asks once, and not again for its first answer', async () => {
    let asked = 0
    stage.play.outside = async () => void (asked += 1)
    const first = await write({ url: '/after' })
    stage.play.outside = async () => {
      throw unavailable('Catalog')
    }
    expect(await write({ url: '/after', at: other })).toEqual(first)
    expect([first.status, asked, await effects()]).toEqual([201, 1, 1])
    expect((await write({ url: '/after', name: 'another' })).status).toBe(422)
  })

  it('repeats a refusal of whom it asked, and forgets that there was no answer', async () => {
    stage.play.outside = async () => {
      throw unavailable('Catalog')
    }
    expect((await write({ url: '/after' })).status).toBe(503)
    stage.play.outside = async () => {
      throw missing('listing')
    }
    const refusal = await write({ url: '/after' })
    expect(refusal.status).toBe(404)
    stage.play.outside = async () => undefined
    expect(await write({ url: '/after' })).toEqual(refusal)
    expect((await write({ url: '/after', key: null })).status).toBe(201)
    expect(await effects()).toBe(1)
  })
})
