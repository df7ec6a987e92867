import { SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { acceptancesOf, liveHoldsOf, makeOffer, moveOffer, offerOn, statusesOf } from '../testing/offers.ts'
import { raceRounds, runRounds } from '../testing/race-rounds.ts'
import { setStage, type Door, type Stage } from '../testing/stage.ts'

let stage: Stage
let seller: TestUser

beforeAll(async () => {
  stage = await setStage()
  seller = stage.seller
})
afterAll(() => stage.close())

const timeoutMs = 120_000 + raceRounds * 1000
const doorOf = (index: number): Door => (index % 2 ? stage.second : stage.first)
const accept = (id: string, index: number, as = seller) => moveOffer(stage, id, 'accept', { as, at: doorOf(index) })
const buyNow = (listingId: string, buyer: TestUser, at: Door) =>
  at.sales.hold({ saleId: newId(), listingId, buyerId: buyer.userId, saleType: SaleType.BUY_NOW })
const codeOf = ({ status, body }: { status: number; body: { code: string } }) =>
  status < 300 ? `${status}` : `${status} ${body.code}`

/** One live hold, the accepted offer's with its one event; or none of an offer, and no event. */
async function expectOneHold(listingId: string, acceptedOffer: string | null): Promise<void> {
  const [live, ...others] = await liveHoldsOf(stage, listingId)
  const sales = (await acceptancesOf(stage, listingId)).map(({ offerId, saleId }) => [offerId, saleId])
  expect([others, live?.['offer_id'] ?? null]).toEqual([[], acceptedOffer])
  expect(sales).toEqual(acceptedOffer === null ? [] : [[acceptedOffer, live?.['sale_id']]])
}

// Red without `forUpdate` in lockListing: both see no hold, and the unique index fails one of them with a 500.
// Red without `findLiveHold` in acceptOffer: 500 as well, since the index still stands.
it(
  'OFFER-06 buy now, an accepted offer and a cancelled checkout at once leave one hold and tell each the truth',
  async () => {
    const ends: string[] = []
    await runRounds(async (index) => {
      const [listingId, alice, bob, carol] = [await stage.list(), someone('Alice'), someone('Bob'), someone('Carol')]
      const offer = await offerOn(stage, listingId, alice)
      const checkout = await buyNow(listingId, bob, stage.first)
      const saleId = checkout.answer.case === 'held' ? checkout.answer.value.saleId : ''
      const release = () => doorOf(index).sales.settle({ saleId, listingId, outcome: SettleOutcome.RELEASED })
      const [, accepted, bought] = await Promise.all([
        release(),
        accept(offer, index + 1),
        buyNow(listingId, carol, doorOf(index)),
      ])
      const isBought = bought.answer.case === 'held'
      expect(['200', '409 reserved']).toContain(codeOf(accepted))
      expect(accepted.status === 200 && isBought).toBe(false)
      await expectOneHold(listingId, accepted.status === 200 ? offer : null)
      expect(await liveHoldsOf(stage, listingId)).toHaveLength(accepted.status === 200 || isBought ? 1 : 0)
      expect(await statusesOf(stage, listingId)).toEqual([accepted.status === 200 ? 'buyer accepted' : 'buyer pending'])
      ends.push(accepted.status === 200 ? 'accepted' : isBought ? 'bought' : 'neither')
    })
    // It is no race when the same one always wins.
    expect(raceRounds < 30 || new Set(ends).size > 1).toBe(true)
  },
  timeoutMs,
)

// Red without `requirePending` in requireAnswerable, and without both `forUpdate`s.
it(
  'OFFER-06 an offer accepted 20 times at once is accepted once',
  async () => {
    await runRounds(async () => {
      const listingId = await stage.list()
      const offer = await offerOn(stage, listingId, someone())
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => accept(offer, index)))
      expect(answers.map(codeOf).toSorted()).toEqual(['200', ...Array(19).fill('409 already_answered')])
      await expectOneHold(listingId, offer)
    })
  },
  timeoutMs,
)

// Red as above.
it(
  'OFFER-06 of accept, reject, counter and withdraw at once exactly one counts',
  async () => {
    const ends = new Set<string>()
    await runRounds(async (index) => {
      const [listingId, buyer] = [await stage.list(), someone()]
      const offer = await offerOn(stage, listingId, buyer)
      const answers = await Promise.all([
        accept(offer, index),
        moveOffer(stage, offer, 'counter', { as: seller, body: { amount: 22 }, at: doorOf(index + 1) }),
        moveOffer(stage, offer, 'reject', { as: seller, at: doorOf(index) }),
        moveOffer(stage, offer, 'withdraw', { as: buyer, at: doorOf(index + 1) }),
      ])
      const winner = answers.findIndex(({ status }) => status < 300)
      expect(answers.filter((_, place) => place !== winner).map(codeOf)).toEqual(Array(3).fill('409 already_answered'))
      const left = [['accepted'], ['rejected', 'pending'], ['rejected'], ['withdrawn']][winner] ?? []
      expect(await statusesOf(stage, listingId)).toEqual(
        left.map((status, place) => `${place ? 'seller' : 'buyer'} ${status}`),
      )
      await expectOneHold(listingId, winner === 0 ? offer : null)
      ends.add(String(winner))
    })
    expect(raceRounds < 30 || ends.size > 1).toBe(true)
  },
  timeoutMs,
)

// Red without `forUpdate` in lockListing: the old offer is accepted and withdrawn, or two are open (500 by the index).
it(
  'OFFER-06 a new offer against the acceptance of the old one: accepted, or withdrawn and not accepted',
  async () => {
    await runRounds(async (index) => {
      const [listingId, buyer] = [await stage.list(), someone()]
      const old = await offerOn(stage, listingId, buyer)
      const [accepted, ...made] = await Promise.all([
        accept(old, index),
        ...[21, 22].map((amount, place) =>
          makeOffer(stage, buyer, { listing_id: listingId, amount }, doorOf(index + place)),
        ),
      ])
      expect(made.map(({ status }) => status)).toEqual([201, 201])
      expect(['200', '409 already_answered']).toContain(codeOf(accepted))
      const isAccepted = accepted.status === 200
      const statuses = await statusesOf(stage, listingId)
      expect(statuses[0]).toBe(isAccepted ? 'buyer accepted' : 'buyer withdrawn')
      expect(statuses.slice(1)).toEqual(['buyer withdrawn', 'buyer pending'])
      await expectOneHold(listingId, isAccepted ? old : null)
    })
  },
  timeoutMs,
)

// Red without `findLiveHold` in acceptOffer (500 by the index).
it(
  'OFFER-06 of several offers accepted at once on one listing one is, the others are 409 and stay open',
  async () => {
    await runRounds(async () => {
      const listingId = await stage.list()
      const offers = await Promise.all(Array.from({ length: 6 }, () => offerOn(stage, listingId, someone())))
      const answers = await Promise.all(offers.map((offer, index) => accept(offer, index)))
      expect(answers.map(codeOf).toSorted()).toEqual(['200', ...Array(5).fill('409 reserved')])
      const winner = answers.findIndex(({ status }) => status === 200)
      await expectOneHold(listingId, offers[winner] ?? null)
      expect((await statusesOf(stage, listingId)).toSorted()).toEqual([
        'buyer accepted',
        ...Array(5).fill('buyer pending'),
      ])
    })
  },
  timeoutMs,
)

// Red without `forUpdate` in lockListing: an offer made beside the sale stays open for good.
it(
  'a sale against new offers leaves none open',
  async () => {
    await runRounds(async () => {
      const listingId = await stage.list()
      const bought = await buyNow(listingId, someone(), stage.first)
      const saleId = bought.answer.case === 'held' ? bought.answer.value.saleId : ''
      const [, ...made] = await Promise.all([
        stage.first.sales.settle({ saleId, listingId, outcome: SettleOutcome.SOLD }),
        ...Array.from({ length: 8 }, (_, index) =>
          makeOffer(stage, someone(), { listing_id: listingId, amount: 20 }, doorOf(index)),
        ),
      ])
      const counted = made.filter(({ status }) => status === 201).length
      expect(made.filter((answer) => codeOf(answer) === '409 inactive')).toHaveLength(made.length - counted)
      expect(await statusesOf(stage, listingId)).toEqual(Array(counted).fill('buyer rejected'))
    })
  },
  timeoutMs,
)
