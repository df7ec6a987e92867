import { transaction } from '@marketplace/kit/db/db.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { waitForBlockedStatements } from '@marketplace/testing/blocked-statements.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, lamp, type Harness } from '../testing/harness.ts'
import { endListing, holdListing, readListingRow, relistListing } from '../testing/life.ts'
import { actOnOffer, createOffer, readLiveHolds, readOfferStatuses } from '../testing/offers.ts'
import { personalData } from './personal-data.ts'

let harness: Harness
let alice: TestUser
let listingId: string

const listFor = async (user: TestUser) => String((await harness.postListing(lamp, user)).body['id'])

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  alice = randomUser('Alice')
  listingId = await listFor(alice)
})

const erase = (user: TestUser) => transaction(harness.db, (trx) => personalData.erase(trx, user.userId))
const counter = (offer: string, as: TestUser) => actOnOffer(harness, offer, 'counter', { as, body: { amount: 22 } })

describe('an erasure with pending offers', () => {
  it('rejects those made to the person, whose listings are then inactive', async () => {
    await createOffer(harness, listingId, randomUser('Bob'))
    const openPayments = await transaction(harness.db, (trx) => personalData.findOpenPayments(trx, alice.userId))
    expect(openPayments).toEqual([])
    expect(await erase(alice)).toMatchObject({ listings: 1, 'pending offers': 1 })
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer rejected'])
    expect(await readListingRow(harness, listingId)).toMatchObject({ is_active: false, end_reason: 'erased' })
  })

  it('withdraws those made by the person and rejects the counteroffer of a seller', async () => {
    const [bob, carol] = [randomUser('Bob'), randomUser('Carol')]
    const [first, second] = [await listFor(bob), await listFor(bob)]
    await createOffer(harness, first, alice)
    await createOffer(harness, first, carol)
    await counter(await createOffer(harness, second, alice), bob)
    await counter(await createOffer(harness, listingId, carol), alice)
    expect(await erase(alice)).toMatchObject({ 'pending offers': 3 })
    expect(await readOfferStatuses(harness, first)).toEqual(['buyer withdrawn', 'buyer pending'])
    expect(await readOfferStatuses(harness, second)).toEqual(['buyer rejected', 'seller rejected'])
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer rejected', 'seller withdrawn'])
  })

  it('changes nothing while an item is held', async () => {
    const held = await listFor(alice)
    await createOffer(harness, listingId, randomUser('Bob'))
    await holdListing(harness, held)
    await expect(erase(alice)).rejects.toThrow('Items held for a sale with this user: 1.')
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer pending'])
    expect(await readListingRow(harness, listingId)).toMatchObject({ is_active: true })
  })

  it('comes before or after an acceptance of an offer of the person, 20 times', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [seller, buyer] = [randomUser(), randomUser()]
      const id = await listFor(seller)
      const offer = await createOffer(harness, id, buyer)
      const [erased, accepted] = await Promise.all([
        erase(buyer).then(
          () => true,
          () => false,
        ),
        actOnOffer(harness, offer, 'accept', { as: seller }),
      ])
      expect(accepted.status).toBe(erased ? 409 : 200)
      expect(await readLiveHolds(harness, id)).toHaveLength(erased ? 0 : 1)
    }
  })
})

describe('an erased listing', () => {
  it('LIFE-04 is not relisted by a request that waits for the erasure', async () => {
    await endListing(harness, listingId, { as: alice })
    const relisting: ReturnType<typeof relistListing>[] = []
    await transaction(harness.db, async (trx) => {
      await personalData.erase(trx, alice.userId)
      relisting.push(relistListing(harness, listingId, {}, { as: alice }))
      await waitForBlockedStatements(async (text) => (await sql.raw(text).execute(harness.db)).rows)
    })
    expect(await relisting[0]).toMatchObject({ status: 409, body: { code: 'removed' } })
    expect(await readListingRow(harness, listingId)).toMatchObject({ is_active: false, published: 'ended' })
  })
})
