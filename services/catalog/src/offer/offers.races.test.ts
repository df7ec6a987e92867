import { SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  readOfferAcceptedEvents,
  readLiveHolds,
  postOffer,
  actOnOffer,
  createOffer,
  readOfferStatuses,
} from '../testing/offers.ts'
import { raceRounds, runRounds, staggered } from '../testing/race-rounds.ts'
import { createHarness, type Instance, type Harness } from '../testing/harness.ts'

let harness: Harness
let seller: TestUser

beforeAll(async () => {
  harness = await createHarness()
  seller = harness.seller
})
afterAll(() => harness.close())

const timeoutMs = 120_000 + raceRounds * 1000
const instanceOf = (index: number): Instance => (index % 2 ? harness.second : harness.first)
const accept = (id: string, index: number, as = seller) =>
  actOnOffer(harness, id, 'accept', { as, at: instanceOf(index) })
const buyNow = (listingId: string, buyer: TestUser, at: Instance) =>
  at.sales.hold({ saleId: newId(), listingId, buyerId: buyer.userId, saleType: SaleType.BUY_NOW })
const statusAndCode = ({ status, body }: { status: number; body: { code: string } }) =>
  status < 300 ? `${status}` : `${status} ${body.code}`

/**
 * Asserts that a listing has at most one live hold. If an offer was accepted, the hold belongs to it and one OfferAccepted
 * was published; otherwise the hold belongs to no offer and no OfferAccepted was published.
 */
async function expectOneHold(listingId: string, acceptedOffer: string | null): Promise<void> {
  const [live, ...others] = await readLiveHolds(harness, listingId)
  const sales = (await readOfferAcceptedEvents(harness, listingId)).map(({ offerId, saleId }) => [offerId, saleId])
  expect([others, live?.['offer_id'] ?? null]).toEqual([[], acceptedOffer])
  expect(sales).toEqual(acceptedOffer === null ? [] : [[acceptedOffer, live?.['sale_id']]])
}

// Without `forUpdate` in lockListing, both requests see no hold, and one of them violates the unique index of holds
// (500). Without `findLiveHold` in acceptOffer, the same happens.
it(
  'OFFER-06 leaves one hold and returns the right result to each when a checkout, an acceptance and a release compete',
  async () => {
    const winners: string[] = []
    await runRounds(async (index) => {
      const [listingId, alice, bob, carol] = [
        await harness.createListing(),
        randomUser('Alice'),
        randomUser('Bob'),
        randomUser('Carol'),
      ]
      const offer = await createOffer(harness, listingId, alice)
      const checkout = await buyNow(listingId, bob, harness.first)
      const saleId = checkout.answer.case === 'held' ? checkout.answer.value.saleId : ''
      const release = () => instanceOf(index).sales.settle({ saleId, listingId, outcome: SettleOutcome.RELEASED })
      const start = staggered(index)
      const [, accepted, bought] = await Promise.all([
        start(release),
        start(() => accept(offer, index + 1)),
        start(() => buyNow(listingId, carol, instanceOf(index))),
      ])
      const isBought = bought.answer.case === 'held'
      expect(['200', '409 reserved']).toContain(statusAndCode(accepted))
      expect(accepted.status === 200 && isBought).toBe(false)
      await expectOneHold(listingId, accepted.status === 200 ? offer : null)
      expect(await readLiveHolds(harness, listingId)).toHaveLength(accepted.status === 200 || isBought ? 1 : 0)
      expect(await readOfferStatuses(harness, listingId)).toEqual([
        accepted.status === 200 ? 'buyer accepted' : 'buyer pending',
      ])
      winners.push(accepted.status === 200 ? 'accepted' : isBought ? 'bought' : 'neither')
    })
    // The winner must differ between rounds. Otherwise the requests did not really race.
    expect(raceRounds < 30 || new Set(winners).size > 1).toBe(true)
  },
  timeoutMs,
)

// This test fails without `requirePending` in requireRespondable, or if neither lockListing nor lockOffer uses
// `forUpdate`.
it(
  'OFFER-06 accepts an offer once when 20 requests to accept it compete',
  async () => {
    await runRounds(async () => {
      const listingId = await harness.createListing()
      const offer = await createOffer(harness, listingId, randomUser())
      const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => accept(offer, index)))
      expect(responses.map(statusAndCode).toSorted()).toEqual(['200', ...Array(19).fill('409 already_answered')])
      await expectOneHold(listingId, offer)
    })
  },
  timeoutMs,
)

// This test fails without `requirePending` in requireRespondable, or if neither lockListing nor lockOffer uses
// `forUpdate`.
it(
  'OFFER-06 applies exactly one of accept, reject, counter and withdraw when they compete',
  async () => {
    const winners = new Set<string>()
    await runRounds(async (index) => {
      const [listingId, buyer] = [await harness.createListing(), randomUser()]
      const offer = await createOffer(harness, listingId, buyer)
      const start = staggered(index)
      const responses = await Promise.all([
        start(() => accept(offer, index)),
        start(() =>
          actOnOffer(harness, offer, 'counter', { as: seller, body: { amount: 22 }, at: instanceOf(index + 1) }),
        ),
        start(() => actOnOffer(harness, offer, 'reject', { as: seller, at: instanceOf(index) })),
        start(() => actOnOffer(harness, offer, 'withdraw', { as: buyer, at: instanceOf(index + 1) })),
      ])
      const winner = responses.findIndex(({ status }) => status < 300)
      expect(responses.filter((_, index) => index !== winner).map(statusAndCode)).toEqual(
        Array(3).fill('409 already_answered'),
      )
      const expected = [['accepted'], ['rejected', 'pending'], ['rejected'], ['withdrawn']][winner] ?? []
      expect(await readOfferStatuses(harness, listingId)).toEqual(
        expected.map((status, index) => `${index ? 'seller' : 'buyer'} ${status}`),
      )
      await expectOneHold(listingId, winner === 0 ? offer : null)
      winners.add(String(winner))
    })
    expect(raceRounds < 30 || winners.size > 1).toBe(true)
  },
  timeoutMs,
)

// Without `forUpdate` in lockListing, the old offer is both accepted and withdrawn, or two offers are pending and
// violate the unique index (500).
it(
  'OFFER-06 either accepts the old offer or withdraws it when an acceptance and new offers compete',
  async () => {
    await runRounds(async (index) => {
      const [listingId, buyer] = [await harness.createListing(), randomUser()]
      const old = await createOffer(harness, listingId, buyer)
      const [accepted, ...made] = await Promise.all([
        accept(old, index),
        ...[21, 22].map((amount, offset) =>
          postOffer(harness, buyer, { listing_id: listingId, amount }, instanceOf(index + offset)),
        ),
      ])
      expect(made.map(({ status }) => status)).toEqual([201, 201])
      expect(['200', '409 already_answered']).toContain(statusAndCode(accepted))
      const isAccepted = accepted.status === 200
      const statuses = await readOfferStatuses(harness, listingId)
      expect(statuses[0]).toBe(isAccepted ? 'buyer accepted' : 'buyer withdrawn')
      expect(statuses.slice(1)).toEqual(['buyer withdrawn', 'buyer pending'])
      await expectOneHold(listingId, isAccepted ? old : null)
    })
  },
  timeoutMs,
)

// Without `findLiveHold` in acceptOffer, the unique index of holds is violated (500).
it(
  'OFFER-06 accepts one of several offers on a listing when their acceptances compete, and leaves the others pending',
  async () => {
    await runRounds(async () => {
      const listingId = await harness.createListing()
      const offers = await Promise.all(Array.from({ length: 6 }, () => createOffer(harness, listingId, randomUser())))
      const responses = await Promise.all(offers.map((offer, index) => accept(offer, index)))
      expect(responses.map(statusAndCode).toSorted()).toEqual(['200', ...Array(5).fill('409 reserved')])
      const winner = responses.findIndex(({ status }) => status === 200)
      await expectOneHold(listingId, offers[winner] ?? null)
      expect((await readOfferStatuses(harness, listingId)).toSorted()).toEqual([
        'buyer accepted',
        ...Array(5).fill('buyer pending'),
      ])
    })
  },
  timeoutMs,
)

// This test fails without `forUpdate` in lockListing: an offer that is made concurrently with the sale stays pending.
it(
  'leaves no offer pending when a sale and new offers compete',
  async () => {
    await runRounds(async (index) => {
      const listingId = await harness.createListing()
      const bought = await buyNow(listingId, randomUser(), harness.first)
      const saleId = bought.answer.case === 'held' ? bought.answer.value.saleId : ''
      const makeOffer = (place: number) =>
        postOffer(harness, randomUser(), { listing_id: listingId, amount: 20 }, instanceOf(place))
      const start = staggered(index)
      const [, made] = await Promise.all([
        start(() => harness.first.sales.settle({ saleId, listingId, outcome: SettleOutcome.SOLD })),
        start(() => Promise.all(Array.from({ length: 8 }, (_, place) => makeOffer(place)))),
      ])
      const accepted = made.filter(({ status }) => status === 201).length
      expect(made.filter((response) => statusAndCode(response) === '409 inactive')).toHaveLength(made.length - accepted)
      expect(await readOfferStatuses(harness, listingId)).toEqual(Array(accepted).fill('buyer rejected'))
    })
  },
  timeoutMs,
)
