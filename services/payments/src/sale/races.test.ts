import type { Service } from '@marketplace/kit/service.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../testing/books.ts'
import { buy, buyAuction, cancel, confirm, openCheckout } from '../testing/calls.ts'
import { signedWebhook } from '../testing/card-network.ts'
import { captured, eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { addressOf, startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let services: [Service, Service]

beforeAll(async () => {
  stand = await startStand()
  // Two instances, asked over HTTP: nothing may hang on what one of them remembers.
  services = [await stand.start(), await stand.start()]
})
afterEach(async () => {
  stand.cards.before = async () => {}
  await checkBooks(stand)
})
afterAll(() => stand.stop())

const serviceOf = (index: number): Service => services[index % 2 === 0 ? 0 : 1]

async function times<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}

/** Holds requests back until this many have come. */
function gate(count: number): () => Promise<void> {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  let waiting = 0
  return async () => {
    waiting++
    if (waiting === count) open()
    await opened
  }
}

const intentsMade = () =>
  new Set(
    stand.cards.seen
      .filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
      .map(({ key }) => key),
  )

const ways = [
  ['a fixed price', buy, () => stand.catalog.addItem()],
  ['an auction', buyAuction, () => stand.auction.addItem()],
] as const

// Turns red without `on conflict` in `insertNewSale` (sales.repo.ts): presses that lose the race to insert are 500.
describe.each(ways)('20 presses of one buyer, %s', (_what, press, addItem) => {
  it('share one sale and one intent', async () => {
    const { listingId } = addItem()
    const buyer = someone()
    const before = intentsMade().size
    const answers = await times(20, (index) => press(stand, serviceOf(index), buyer, listingId))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body['client_secret'])).size).toBe(1)
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
    expect(intentsMade().size).toBe(before + 1)
  })
})

// Who may have it is the owner's word: turns red without its line that answers `reserved` (fake-owner.ts here). The index
// `transactions_one_live_per_listing` then still lets one through only, and no second intent is made.
describe.each(ways)('200 buyers of one item, %s', (_what, press, addItem) => {
  it('L8 PAY-13 are one charge, and 199 are refused before an intent exists', async () => {
    const { listingId } = addItem()
    const before = intentsMade().size
    const buyers = Array.from({ length: 200 }, (_, index) => someone(`Buyer ${index}`))
    const answers = await Promise.all(buyers.map((buyer, index) => press(stand, serviceOf(index), buyer, listingId)))
    expect(answers.filter(({ status, body }) => status === 409 && body['code'] === 'reserved')).toHaveLength(199)
    expect(intentsMade().size).toBe(before + 1)
    const first = answers.findIndex(({ status }) => status === 201)
    const { payment_intent_id = '', client_secret = '' } = answers[first]?.body ?? {}
    const intent = { payment_intent_id, client_secret }
    expect(await stand.cards.pay(intent)).toBe(200)
    expect(await confirm(stand, services[0], buyers[first] ?? null, intent)).toMatchObject({ status: 200 })
    const states = await statesOf(stand, listingId)
    expect(states.filter((state) => state !== 'released')).toEqual(['paid'])
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
  })
})

// Turns red without the state in `move` (sale-moves.repo.ts): the second journal of a kind is refused, and answered 500.
// Turns red when toCheckout (start-checkout.ts) throws `sale_over` too: the press beside it ended the sale of both.
describe('6 presses each of 6 buyers of one listing', () => {
  it('PAY-13 are one intent, and the others hear that the item is reserved', async () => {
    for (let round = 0; round < 3; round++) {
      const { listingId } = stand.catalog.addItem()
      const buyers = Array.from({ length: 6 }, () => someone())
      const answers = await times(36, (index) => buy(stand, serviceOf(index), buyers[index % 6] ?? null, listingId))
      const told = answers.map(({ status, body }) => `${status} ${body['code'] ?? body['payment_intent_id']}`)
      expect(new Set(told).size).toBe(2)
      expect(told.filter((one) => one === '409 reserved')).toHaveLength(30)
    }
  })
})

describe('50 confirmations and 50 copies of the webhook at once', () => {
  it('W4 PAY-13 capture the payment once', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, services[0], buyer, listingId)
    await stand.cards.pay(intent)
    const event = { id: 'evt_race', type: 'payment_intent.succeeded', intentId: intent.payment_intent_id }
    const { payload: body, headers } = signedWebhook(stand.cards, event)
    // Every confirmation has read `payable` before any of them hears that it was paid.
    const wait = gate(50)
    stand.cards.before = wait
    const [confirmations, webhooks] = await Promise.all([
      times(50, (index) => confirm(stand, serviceOf(index), buyer, intent)),
      times(50, (index) =>
        fetch(`${addressOf(serviceOf(index))}/api/stripe/webhook`, { method: 'POST', body, headers }),
      ),
    ])
    expect(new Set(confirmations.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(webhooks.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
    expect(await eventsOf(stand, listingId)).toEqual(['PaymentSucceeded'])
  })
})

// Turns red when a cancelled dialog frees the item without the provider's word (`verdict` in cancel-intent.ts).
describe('a payment and a cancellation at once', () => {
  it('PAY-13 end in a sale that is paid at the provider too, or in a free item that nobody paid', async () => {
    const outcomes = await times(20, async (index) => {
      const { listingId } = stand.catalog.addItem()
      const buyer = someone()
      const intent = await openCheckout(stand, serviceOf(index), buyer, listingId)
      await Promise.all([
        stand.cards.pay(intent),
        cancel(stand, serviceOf(index), buyer, intent),
        confirm(stand, serviceOf(index + 1), buyer, intent),
      ])
      const { status } = await stand.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
      const { body } = await confirm(stand, serviceOf(index), buyer, intent)
      const ledger = await ledgerOf(stand, listingId)
      return { status, state: body['status'] ?? 'cancelled', booked: ledger.length }
    })
    for (const outcome of outcomes) {
      expect([
        { status: 'succeeded', state: 'completed', booked: 5 },
        { status: 'canceled', state: 'cancelled', booked: 0 },
      ]).toContainEqual(outcome)
    }
  })
})
