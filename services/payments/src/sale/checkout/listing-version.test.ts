import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../testing/calls.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { sql } from 'kysely'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterAll(() => harness.stop())

type Version = number | string | undefined

/** A checkout of a fixed-price listing and one of an auction. */
const checkouts = [
  {
    name: 'create-intent',
    inventory: () => harness.catalog,
    send: (listingId: string, version: Version) => {
      const body = { listing_id: listingId, transaction_type: 'buy_now', listing_version: version }
      return call(harness, service, randomUser(), ['POST', '/api/payments/create-intent', body])
    },
  },
  {
    name: 'buy-now',
    inventory: () => harness.auction,
    send: (listingId: string, version: Version) =>
      call(harness, service, randomUser(), [
        'POST',
        `/api/auctions/${listingId}/buy-now`,
        { listing_version: version },
      ]),
  },
]

async function readSales(listingId: string) {
  const { rows } = await sql<{ state: string; terms_version: number | null }>`
    select state, terms_version from transactions where listing_id = ${listingId}`.execute(harness.db)
  return rows
}

describe.each(checkouts)('$name', ({ inventory, send }) => {
  it.each([
    ['the version that the buyer saw', 2],
    ['the current version for a client that sends none', undefined],
  ])('LIFE-12 keeps %s with the sale', async (_case, version) => {
    const { listingId } = inventory().addItem({ termsVersion: 2 })
    expect((await send(listingId, version)).status).toBe(201)
    expect(await readSales(listingId)).toEqual([{ state: 'payable', terms_version: 2 }])
  })

  it('LIFE-12 is refused with listing_changed if the listing has another version, and holds nothing', async () => {
    const { listingId } = inventory().addItem({ termsVersion: 2 })
    const { status, body } = await send(listingId, 1)
    expect([status, body['code']]).toEqual([409, 'listing_changed'])
    expect(
      [...inventory().holds.values()].filter((hold) => hold.listingId === listingId && hold.state !== 'released'),
    ).toEqual([])
    expect(await readSales(listingId)).toMatchObject([{ state: 'released' }])
    expect((await send(listingId, 2)).status).toBe(201)
  })

  it.each([0, -1, 1.5, '1', 2 ** 31])('LIFE-12 rejects the listing_version %j', async (version) => {
    const { listingId } = inventory().addItem()
    const { status, body } = await send(listingId, version)
    expect([status, JSON.stringify(body['details'])]).toEqual([400, expect.stringContaining('listing_version')])
  })
})
