import { SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { waitForBlockedStatements } from '@marketplace/testing/blocked-statements.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness, type Instance } from '../../testing/harness.ts'
import { editListing, endListing, holdListing, readListingRow, relistListing } from '../../testing/life.ts'
import { actOnOffer, createOffer, readLiveHolds } from '../../testing/offers.ts'
import { raceRounds, staggered } from '../../testing/race-rounds.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const rounds = Math.max(50, raceRounds)
const timeoutMs = 120_000 + rounds * 1000
const instanceOf = (index: number): Instance => (index % 2 ? harness.second : harness.first)
const resultOf = ({ status, body }: { status: number; body: { code?: unknown } }) =>
  status < 300 ? `${status}` : `${status} ${String(body.code)}`

// This test fails without `forUpdate` in lockListing, and if Hold does not compare `listing_version`.
it(
  'LIFE-11 sells an item only as its buyer saw it when an edit, an end, a checkout and an acceptance compete',
  async () => {
    const outcomes = new Set<string>()
    for (let index = 0; index < rounds; index += 1) {
      const id = await harness.createListing()
      const offer = await createOffer(harness, id, randomUser())
      const start = staggered(index)
      const [edited, ended, held, accepted] = await Promise.all([
        start(() => editListing(harness, id, { title: 'Another lamp' }, { at: instanceOf(index) })),
        start(() => endListing(harness, id, { at: instanceOf(index + 1) })),
        start(() => holdListing(harness, id, { listingVersion: 1, at: instanceOf(index) })),
        start(() => actOnOffer(harness, offer, 'accept', { as: harness.seller, at: instanceOf(index + 1) })),
      ])
      const isHeld = 'saleId' in held
      const isAccepted = accepted.status === 200
      expect(['200', '409 reserved', '409 ended']).toContain(resultOf(edited))
      expect(['200', '409 reserved']).toContain(resultOf(ended))
      expect(['inactive', 'reserved', 'listing_changed']).toContain(isHeld ? 'reserved' : held.code)
      expect(['200', '409 reserved', '409 inactive', '409 already_answered', '409 listing_changed']).toContain(
        resultOf(accepted),
      )
      const live = await readLiveHolds(harness, id)
      expect([live.length, isHeld && isAccepted]).toEqual([isHeld || isAccepted ? 1 : 0, false])
      const status = live.length > 0 ? 'reserved' : ended.status === 200 ? 'ended' : 'active'
      const edits = edited.status === 200 ? 1 : 0
      expect(await readListingRow(harness, id)).toMatchObject({ status, published: status, terms_version: 1 + edits })
      // A hold and an end exclude each other, and an edit can only come before both.
      expect(live.length > 0 && ended.status === 200).toBe(false)
      expect(live.length === 0 || edits === 0).toBe(true)
      outcomes.add([edits, ended.status, isHeld, isAccepted].join())
    }
    expect(outcomes.size).toBeGreaterThan(1)
  },
  timeoutMs,
)

it(
  'LIFE-11 accepts one of several edits of the same version, and publishes each version once',
  async () => {
    for (let index = 0; index < rounds; index += 1) {
      const id = await harness.createListing()
      const edits = await Promise.all(
        [11, 12, 13, 14].map((price, place) => editListing(harness, id, { price }, { at: instanceOf(index + place) })),
      )
      expect(edits.map(resultOf).toSorted()).toEqual(['200', ...Array(3).fill('409 listing_changed')])
      const [price] = await harness.rows(
        `select price_cents = (select price_cents from listing_prices where listing_id = id order by from_at desc limit 1) as is_newest,
           (select count(*)::int from outbox where key = listings.id::text) as events from listings where id = $1`,
        [id],
      )
      expect(price).toEqual({ is_newest: true, events: 2 })
    }
  },
  timeoutMs,
)

it(
  'LIFE-11 keeps status and hold together when a release, an end, a relisting and a checkout compete',
  async () => {
    for (let index = 0; index < rounds; index += 1) {
      const id = await harness.createListing()
      const held = await holdListing(harness, id)
      const saleId = 'saleId' in held ? held.saleId : ''
      const start = staggered(index)
      await Promise.all([
        start(() => harness.first.sales.settle({ saleId, listingId: id, outcome: SettleOutcome.RELEASED })),
        start(() => endListing(harness, id, { at: instanceOf(index) })),
        start(() => relistListing(harness, id, {}, { at: instanceOf(index + 1) })),
        start(() => holdListing(harness, id, { at: instanceOf(index) })),
      ])
      const live = await readLiveHolds(harness, id)
      const life = await readListingRow(harness, id)
      expect([life?.['status'] === 'reserved', life?.['status']]).toEqual([live.length > 0, life?.['published']])
    }
  },
  timeoutMs,
)

// This test fails if lockListings locks in the statement that joins the categories: Postgres then joins the row that it
// waited for with the category of before the wait, finds no match and leaves the listing out.
it('LIFE-11 rejects a checkout and an edit of the earlier terms if the category changes while they wait', async () => {
  const id = await harness.createListing()
  const waiting: Promise<unknown>[] = []
  await transaction(harness.db, async (trx) => {
    await sql`update listings set category_id = 1, terms_version = 2 where id = ${id}`.execute(trx)
    waiting.push(
      holdListing(harness, id, { listingVersion: 1 }),
      editListing(harness, id, { title: 'Another lamp' }).then(resultOf),
    )
    await waitForBlockedStatements(async (text) => (await sql.raw(text).execute(harness.db)).rows, 2)
  })
  expect(await Promise.all(waiting)).toEqual([{ code: 'listing_changed' }, '409 listing_changed'])
})
