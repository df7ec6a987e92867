import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personalData } from '../personal-data/personal-data.ts'
import { createHarness, lamp, type Harness } from '../testing/harness.ts'
import { deleteExpiredDrafts } from './drafts.repo.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const save = (as: TestUser, id: string, body: unknown, basedOn?: string) =>
  harness.call('PUT', `/api/drafts/${id}${basedOn === undefined ? '' : `?based_on=${basedOn}`}`, { as, body })
const remove = (as: TestUser, id: string) => harness.call('DELETE', `/api/drafts/${id}`, { as })
const list = async (as: TestUser) => (await harness.get<Record<string, unknown>[]>('/api/drafts', as)).body
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('drafts', () => {
  it('LIFE-18 are saved under the client’s id, listed by their last save, and deleted', async () => {
    const me = randomUser()
    const [first, second] = [newId(), newId()]
    const { status, body } = await save(me, first, { title: 'Half a lamp', images: ['https://a.example/1.jpg'] })
    expect([status, body]).toMatchObject([200, { id: first, body: { title: 'Half a lamp' } }])
    await save(me, second, { title: 'A watch' })
    await save(me, first, { title: 'A whole lamp' })
    expect((await list(me)).map((draft) => [draft['id'], draft['body']])).toEqual([
      [first, { title: 'A whole lamp' }],
      [second, { title: 'A watch' }],
    ])
    expect(await remove(me, first)).toMatchObject({ status: 200, body: {} })
    expect((await remove(me, first)).status).toBe(404)
    expect(await list(me)).toHaveLength(1)
  })

  it('LIFE-18 are hidden from others, who can neither read, replace nor delete them', async () => {
    const [me, other] = [randomUser(), randomUser()]
    const id = newId()
    await save(me, id, { title: 'Mine' })
    expect(await list(other)).toEqual([])
    expect((await save(other, id, { title: 'Yours' })).status).toBe(404)
    expect((await remove(other, id)).status).toBe(404)
    expect(await list(me)).toMatchObject([{ body: { title: 'Mine' } }])
    for (const [method, url] of [
      ['GET', '/api/drafts'],
      ['PUT', `/api/drafts/${id}`],
      ['DELETE', `/api/drafts/${id}`],
    ] as const)
      expect((await harness.call(method, url, method === 'PUT' ? { body: {} } : {})).status).toBe(401)
  })

  it('LIFE-18 number at most 20 by default, also when saved at once, and can be saved again at the limit', async () => {
    const me = randomUser()
    const ids = Array.from({ length: 25 }, newId)
    const saved = await Promise.all(ids.map((id) => save(me, id, { title: id })))
    expect(saved.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(saved.find(({ status }) => status !== 200)).toMatchObject({ status: 409, body: { code: 'too_many_drafts' } })
    const [known] = await list(me)
    expect((await save(me, String(known?.['id']), { title: 'Again' })).status).toBe(200)
    expect((await list(me)).length).toBe(20)
  })

  it.each<[string, string, number]>([
    ['with NUL', JSON.stringify({ title: 'a\u0000b' }), 400],
    ['with NUL in a name', JSON.stringify({ 'a\u0000b': 1 }), 400],
    ['with half a surrogate pair', '{"title":"a\\ud800"}', 400],
    ['of 6 levels', nested(6), 400],
    ['of 9,000 levels', nested(9000), 400],
    ['with 9,000 lists', `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`, 400],
    ['with a number that takes 301 digits', '{"a":[1e300]}', 400],
    ['that is a list', '[]', 400],
    ['that is null', 'null', 400],
    ['that is half', '{"title":', 400],
    ['that changes the prototype', '{"__proto__":{"a":1}}', 400],
    ['above 64 KiB', JSON.stringify({ a: 'x'.repeat(64 * 1024) }), 413],
    ['above 64 KiB after its escapes', JSON.stringify({ a: '🕰'.repeat(16_380) }), 200],
    ['with numbers of 7 digits after the point', `{"a":[${Array(4000).fill('1.234e-6,-0').join()}]}`, 200],
    ['of 5 levels', nested(5), 200],
    ['without fields', '{}', 200],
  ])('LIFE-18 a body %s gets its status, never 500', async (_case, body, expected) => {
    const me = randomUser()
    const { status } = await save(me, newId(), body)
    expect([status, (await list(me)).length]).toEqual([expected, expected === 200 ? 1 : 0])
  })

  it.each(['1e300', '1e-300', '-1e-7'])('LIFE-18 many numbers %s in a field get 400 with its name', async (number) => {
    const body = `{"title":"A lamp","sizes":[${Array(9000).fill(number).join()}]}`
    expect(await save(randomUser(), newId(), body)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'sizes' }] },
    })
  })

  it.each(['1', 'x', '01890a5d-ac96-474b-bcce-b302099a8057'])('LIFE-18 the id %s is 404', async (id) => {
    const me = randomUser()
    expect([(await save(me, id, {})).status, (await remove(me, id)).status]).toEqual([404, 404])
  })

  it('LIFE-18 are deleted 60 days after the last save', async () => {
    const me = randomUser()
    const [old, young] = [newId(), newId()]
    for (const id of [old, young]) await save(me, id, {})
    const age = (id: string, days: number) =>
      harness.rows(`update drafts set updated_at = updated_at - $2 * interval '1 day' where id = $1`, [id, days])
    await age(old, 60)
    await age(young, 59)
    expect(await deleteExpiredDrafts(harness.db)).toBe(1)
    expect(await list(me)).toMatchObject([{ id: young }])
  })
})

describe('a draft that is edited on two devices', () => {
  const edit = async (me: TestUser, id: string, body: object, basedOn?: string) => {
    const { status, body: response } = await save(me, id, body, basedOn)
    return [status, response['code'] ?? response['body']]
  }

  it('LIFE-24 is saved if it is based on the last save, otherwise the save is rejected and changes nothing', async () => {
    const me = randomUser()
    const id = newId()
    const first = String((await save(me, id, { title: 'Lamp' })).body['updated_at'])
    expect(await edit(me, id, { title: 'Lamp of a phone' }, first)).toEqual([200, { title: 'Lamp of a phone' }])
    expect(await edit(me, id, { title: 'Lamp of a laptop' }, first)).toEqual([409, 'draft_changed'])
    const [stored] = await list(me)
    expect(stored).toMatchObject({ body: { title: 'Lamp of a phone' } })
    expect(await edit(me, id, { title: 'Lamp of both' }, String(stored?.['updated_at']))).toEqual([
      200,
      { title: 'Lamp of both' },
    ])
    expect(await edit(me, id, { title: 'Without a time' })).toEqual([200, { title: 'Without a time' }])
  })

  it('LIFE-24 can be saved once more with the same body, and after it was deleted', async () => {
    const me = randomUser()
    const id = newId()
    const first = String((await save(me, id, { title: 'Lamp' })).body['updated_at'])
    for (let times = 0; times < 2; times += 1)
      expect(await edit(me, id, { title: 'New', price: '5' }, first)).toEqual([200, { title: 'New', price: '5' }])
    await remove(me, id)
    expect(await edit(me, id, { title: 'Lamp' }, first)).toEqual([200, { title: 'Lamp' }])
  })

  it('LIFE-24 keeps one of several different saves that are based on the same one', async () => {
    const me = randomUser()
    const id = newId()
    const first = String((await save(me, id, { title: 'Lamp' })).body['updated_at'])
    const saves = Array.from({ length: 20 }, (_, number) => edit(me, id, { title: `Lamp ${number}` }, first))
    const saved = (await Promise.all(saves)).filter(([status]) => status === 200)
    expect(await list(me)).toMatchObject([{ body: saved[0]?.[1] }])
    expect(saved).toHaveLength(1)
  })

  it('LIFE-24 has another time after each save, even if the clock is behind', async () => {
    const me = randomUser()
    const id = newId()
    await save(me, id, {})
    await harness.rows(`update drafts set updated_at = '2100-01-01T00:00:00Z' where id = $1`, [id])
    expect((await save(me, id, {})).body['updated_at']).toBe('2100-01-01T00:00:00.001Z')
  })

  it.each(['yesterday', '2026-01-01', '%00'])('LIFE-24 the time %s is 400', async (basedOn) => {
    expect(await save(randomUser(), newId(), {}, basedOn)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'based_on' }] },
    })
  })
})

describe('publishing a draft', () => {
  it('LIFE-19 deletes it in the transaction of the listing, but keeps it if the listing is rejected', async () => {
    const me = randomUser()
    const [published, rejected] = [newId(), newId()]
    for (const id of [published, rejected]) await save(me, id, {})
    expect((await harness.postListing({ ...lamp, draft_id: published }, me)).status).toBe(201)
    expect((await harness.postListing({ ...lamp, price: 0, draft_id: rejected }, me)).status).toBe(400)
    expect(await list(me)).toMatchObject([{ id: rejected }])
    expect((await harness.postListing({ ...lamp, draft_id: 'x' }, me)).status).toBe(400)
  })

  it('LIFE-19 works without a stored draft, and leaves the draft of another person', async () => {
    const [me, other] = [randomUser(), randomUser()]
    const id = newId()
    await save(other, id, {})
    expect((await harness.postListing({ ...lamp, draft_id: newId() }, me)).status).toBe(201)
    expect((await harness.postListing({ ...lamp, draft_id: id }, me)).status).toBe(201)
    expect(await list(other)).toHaveLength(1)
  })

  it('LIFE-19 creates one listing per key and leaves no draft when requests compete', async () => {
    for (let round = 0; round < 10; round += 1) {
      const me = randomUser()
      const id = newId()
      await save(me, id, {})
      const publish = () =>
        harness.call('POST', '/api/listings', {
          as: me,
          body: { ...lamp, draft_id: id },
          headers: { 'idempotency-key': id },
        })
      const responses = await Promise.all([publish(), publish(), publish()])
      expect(responses.map(({ status }) => status).filter((status) => status !== 409)).toContain(201)
      const [count] = await harness.rows('select count(*)::int as n from listings where seller_id = $1', [me.userId])
      expect([count?.['n'], await list(me)]).toEqual([1, []])
    }
  })
})

it('LIFE-10 exports and erases drafts', async () => {
  const [me, other] = [randomUser(), randomUser()]
  await save(me, newId(), { title: 'Secret lamp' })
  await save(other, newId(), { title: 'Other lamp' })
  const exported = JSON.stringify(await transaction(harness.db, (trx) => personalData.collect(trx, me.userId)))
  expect([exported.includes('Secret lamp'), exported.includes('Other lamp')]).toEqual([true, false])
  await transaction(harness.db, (trx) => personalData.erase(trx, me.userId))
  expect([await list(me), (await list(other)).length]).toEqual([[], 1])
})
