import { createHash } from 'node:crypto'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startDoor, type Call } from '../testing/doors.ts'
import { setStage, type Stage } from '../testing/stage.ts'
import { forgetOldViews } from './views.repo.ts'

type Started = Awaited<ReturnType<typeof startDoor>>

let stage: Stage
let first: Started
let second: Started
let listingId: string

beforeAll(async () => {
  stage = await setStage()
  ;[first, second] = await Promise.all([startDoor(stage.settings), startDoor(stage.settings)])
})
afterAll(async () => {
  await Promise.all([first.service.stop(), second.service.stop()])
  await stage.close()
})
beforeEach(async () => {
  listingId = await stage.list()
})

async function read(call: Call = {}, at: Pick<Started, 'publicUrl'> = first) {
  const { status, body } = await stage.call('GET', `/api/listings/${listingId}`, { ...call, at })
  expect(status).toBe(200)
  return body
}

const browser = (id: string, address = '10.0.0.1') => ({
  headers: { 'x-viewer-id': id, 'x-forwarded-for': `${address}, 10.1.1.1` },
})
const from = (hops: string) => ({ headers: { 'x-forwarded-for': hops } })
const countOf = async () => (await stage.get(`/api/listings/${listingId}`)).body['view_count']
const counts = (count: number) => eventually(async () => (await countOf()) === count)

/** The count once everything read until now has been judged: whoever reads last in each process, here two addresses, is in. */
async function settledCount(): Promise<number> {
  const last = ['2001:db8::1', '2001:db8::2']
  await Promise.all([read(from('2001:db8::1'), first), read(from('2001:db8::2'), second)])
  const viewers = last.map((address) => createHash('sha256').update(`address ${address}`).digest('hex'))
  await eventually(async () => {
    const text = `select 1 from listing_views where listing_id = $1 and encode(viewer, 'hex') = any ($2)`
    return (await stage.rows(text, [listingId, viewers])).length === last.length
  })
  await stage.rows(`delete from listing_views where listing_id = $1 and encode(viewer, 'hex') = any ($2)`, [
    listingId,
    viewers,
  ])
  return Number(await countOf()) - last.length
}

async function totalsTold(): Promise<number[]> {
  const rows = await stage.rows(
    `select version, payload from outbox where key = $1 and type like '%ListingViewed' order by seq`,
    [listingId],
  )
  const totals = rows.map((row) => Number(row['version']))
  expect(rows.map((row) => row['payload'])).toEqual(totals.map((viewCount) => ({ listingId, viewCount })))
  return totals
}

describe('a view', () => {
  it('LIST-20 raises view_count in every answer, and is told with the new total', async () => {
    const alice = someone()
    expect((await read({ as: alice }))['view_count']).toBe(0)
    await counts(1)
    expect(await totalsTold()).toEqual([1])
    await stage.call('POST', '/api/watchlist', { as: alice, body: { listing_id: listingId } })
    for (const [list, as] of [
      ['/api/users/me/listings', stage.seller],
      ['/api/watchlist', alice],
    ] as const) {
      const { body } = await stage.get<Record<string, unknown>[]>(list, as)
      expect(body.find(({ id }) => id === listingId)?.['view_count']).toBe(1)
    }
    const { listings } = await stage.catalog.getListings({ ids: [listingId] })
    expect(listings).toMatchObject([{ viewCount: 1, version: 1n }])
  })

  it('LIST-20 is never the owner’s, nor one of a read that comes from nobody', async () => {
    await read({ as: stage.seller, ...browser('owner') })
    await read()
    await read(from(' '))
    expect(await settledCount()).toBe(0)
  })

  it('is the user’s, else the browser’s, else the address’s', async () => {
    const [alice, bob] = [someone(), someone()]
    for (const call of [
      { as: alice },
      { as: alice, ...browser('a') },
      { as: bob, ...browser('a') },
      browser('a'),
      browser('a', '10.0.0.2'),
      browser('b'),
      from('10.0.0.7'),
      // Only the last hop is the gateway's word.
      from('1.2.3.4, 10.0.0.7'),
      from('10.0.0.7, 10.0.0.8'),
    ])
      await read(call)
    expect(await settledCount()).toBe(6)
  })

  it('counts once per viewer and listing in 30 minutes, and again after', async () => {
    const age = (minutes: number) =>
      stage.rows(
        `update listing_views set counted_at = clock_timestamp() - $2 * interval '1 min' where listing_id = $1`,
        [listingId, minutes],
      )
    await read(browser('a'))
    await counts(1)
    await age(29)
    await read(browser('a'), second)
    expect(await settledCount()).toBe(1)
    await age(31)
    await read(browser('a'), second)
    await counts(4)
  })

  it('makes a row that is forgotten once it bars nothing', async () => {
    await read(browser('a'))
    await counts(1)
    await stage.rows(`update listing_views set counted_at = counted_at - interval '31 min' where listing_id = $1`, [
      listingId,
    ])
    await eventually(async () => {
      const rows = await stage.rows('select 1 from listing_views where listing_id = $1', [listingId])
      return rows.length === 0
    })
    expect(await forgetOldViews(stage.db, stage.settings.REPEAT_VIEW_MS)).toBe(0)
    expect(await countOf()).toBe(1)
  })
})

describe('many views', () => {
  // Red without the `where` of listing_views' `do update` in views.repo.ts.
  it('LIST-20 50 reads of one viewer at once, in two processes, count once', async () => {
    const alice = someone()
    await Promise.all(Array.from({ length: 50 }, (_, index) => read({ as: alice }, index % 2 ? first : second)))
    await read({ as: alice }, first)
    expect(await settledCount()).toBe(1)
  })

  it('LIST-20 of 60 viewers at once all count, in a few writes and none to the listing', async () => {
    const versionOf = () => stage.rows('select xmin::text, version from listings where id = $1', [listingId])
    const before = await versionOf()
    const viewers = Array.from({ length: 60 }, (_, index) => browser(`viewer ${index}`))
    await Promise.all(viewers.map((viewer, index) => read(viewer, index % 2 ? first : second)))
    await counts(60)
    const totals = await totalsTold()
    expect(totals).toEqual([...new Set(totals)].toSorted((left, right) => left - right))
    expect(totals.at(-1)).toBe(60)
    // One write for each process and flush, where each view would be 60.
    expect(totals.length).toBeLessThan(20)
    expect(await versionOf()).toEqual(before)
  })

  it('keep no reader waiting, and are counted after a failure', async () => {
    await stage.rows('alter table listing_views rename to listing_views_away')
    try {
      await read(browser('a'))
      await new Promise((done) => setTimeout(done, 2 * stage.settings.FLUSH_VIEWS_MS))
      expect((await read(browser('a')))['view_count']).toBe(0)
    } finally {
      await stage.rows('alter table listing_views_away rename to listing_views')
    }
    await counts(1)
  })

  it('are counted by a process that drains', async () => {
    const third = await startDoor({ ...stage.settings, FLUSH_VIEWS_MS: 60_000 })
    for (let index = 0; index < 5; index += 1) await read(browser(`drained ${index}`), third)
    await third.service.stop()
    expect(await countOf()).toBe(5)
    expect(await totalsTold()).toEqual([5])
  })
})
