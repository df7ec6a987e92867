import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectLedgerMatchesProvider } from '../testing/ledger-assertions.ts'
import { buy, buyAuction, cancel, confirm, openCheckout } from '../testing/calls.ts'
import { signedWebhook } from '../testing/fake-card-network.ts'
import { captureEntries, eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { addressOf, createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let services: [Service, Service]

beforeAll(async () => {
  harness = await createHarness()
  // Two instances over HTTP: no result may depend on the memory of one process.
  services = [await harness.start(), await harness.start()]
})
afterEach(async () => {
  harness.cards.before = async () => {}
  await expectLedgerMatchesProvider(harness)
})
afterAll(() => harness.stop())

const serviceOf = (index: number): Service => services[index % 2 === 0 ? 0 : 1]

async function times<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}

/** Blocks requests until this many have arrived. */
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
    harness.cards.requests
      .filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
      .map(({ key }) => key),
  )

const purchases = [
  ['a fixed price', buy, () => harness.catalog.addItem()],
  ['an auction', buyAuction, () => harness.auction.addItem()],
] as const

// Fails without `on conflict` in `insertNewSale` (sales.repo.ts): requests that lose the race to insert return 500.
describe.each(purchases)('20 requests of one buyer, %s', (_what, purchase, addItem) => {
  it('share one sale and one intent', async () => {
    const { listingId } = addItem()
    const buyer = randomUser()
    const before = intentsMade().size
    const responses = await times(20, (index) => purchase(harness, serviceOf(index), buyer, listingId))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map(({ body }) => body['client_secret'])).size).toBe(1)
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
    expect(intentsMade().size).toBe(before + 1)
  })
})

// The inventory service decides who gets the item: fails without the line of fake-inventory.ts that returns `reserved`.
// `transactions_one_live_per_listing` then still admits only one sale, and no second intent is created.
describe.each(purchases)('200 buyers of one item, %s', (_what, purchase, addItem) => {
  it('L8 PAY-13 cause one charge, and 199 are rejected before an intent exists', async () => {
    const { listingId } = addItem()
    const before = intentsMade().size
    const buyers = Array.from({ length: 200 }, (_, index) => randomUser(`Buyer ${index}`))
    const responses = await Promise.all(
      buyers.map((buyer, index) => purchase(harness, serviceOf(index), buyer, listingId)),
    )
    expect(responses.filter(({ status, body }) => status === 409 && body['code'] === 'reserved')).toHaveLength(199)
    expect(intentsMade().size).toBe(before + 1)
    const first = responses.findIndex(({ status }) => status === 201)
    const { payment_intent_id = '', client_secret = '' } = responses[first]?.body ?? {}
    const intent = { payment_intent_id, client_secret }
    expect(await harness.cards.pay(intent)).toBe(200)
    expect(await confirm(harness, services[0], buyers[first] ?? null, intent)).toMatchObject({ status: 200 })
    const states = await statesOf(harness, listingId)
    expect(states.filter((state) => state !== 'released')).toEqual(['paid'])
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
  })
})

// Fails without the state guard of `transition` (sale-transitions.repo.ts): a second journal of the same kind violates
// `journals_once_per_subject`, and the response is a 500. Fails when toCheckout (start-checkout.ts) throws `sale_over`
// too: a concurrent request has ended the sale of both.
describe('6 requests each of 6 buyers of one listing', () => {
  it('PAY-13 create one intent, and the other buyers get `reserved`', async () => {
    for (let round = 0; round < 3; round++) {
      const { listingId } = harness.catalog.addItem()
      const buyers = Array.from({ length: 6 }, () => randomUser())
      const responses = await times(36, (index) => buy(harness, serviceOf(index), buyers[index % 6] ?? null, listingId))
      const outcomes = responses.map(({ status, body }) => `${status} ${body['code'] ?? body['payment_intent_id']}`)
      expect(new Set(outcomes).size).toBe(2)
      expect(outcomes.filter((one) => one === '409 reserved')).toHaveLength(30)
    }
  })
})

describe('50 confirmations and 50 copies of a webhook at the same time', () => {
  it('W4 PAY-13 capture the payment once', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, services[0], buyer, listingId)
    await harness.cards.pay(intent)
    const event = { id: 'evt_race', type: 'payment_intent.succeeded', intentId: intent.payment_intent_id }
    const { payload: body, headers } = signedWebhook(harness.cards, event)
    // Every confirmation reads `payable` before one of them receives the provider's status.
    const wait = gate(50)
    harness.cards.before = wait
    const [confirmations, webhooks] = await Promise.all([
      times(50, (index) => confirm(harness, serviceOf(index), buyer, intent)),
      times(50, (index) =>
        fetch(`${addressOf(serviceOf(index))}/api/stripe/webhook`, { method: 'POST', body, headers }),
      ),
    ])
    expect(new Set(confirmations.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(webhooks.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
    expect(await eventsOf(harness, listingId)).toEqual(['PaymentSucceeded'])
  })
})

// Fails when cancel-intent.ts releases the item without checking the `outcome` of the cancellation.
describe('a payment and a cancellation at the same time', () => {
  it('PAY-13 end in a paid sale with a charge, or in a released item without one', async () => {
    const outcomes = await times(20, async (index) => {
      const { listingId } = harness.catalog.addItem()
      const buyer = randomUser()
      const intent = await openCheckout(harness, serviceOf(index), buyer, listingId)
      await Promise.all([
        harness.cards.pay(intent),
        cancel(harness, serviceOf(index), buyer, intent),
        confirm(harness, serviceOf(index + 1), buyer, intent),
      ])
      const { status } = await harness.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
      const { body } = await confirm(harness, serviceOf(index), buyer, intent)
      const ledger = await ledgerOf(harness, listingId)
      return { status, state: body['status'] ?? 'cancelled', entryCount: ledger.length }
    })
    for (const outcome of outcomes) {
      expect([
        { status: 'succeeded', state: 'completed', entryCount: 5 },
        { status: 'canceled', state: 'cancelled', entryCount: 0 },
      ]).toContainEqual(outcome)
    }
  })
})
