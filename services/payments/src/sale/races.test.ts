import type { Service } from '@marketplace/kit/service.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buy, cancel, confirm, openCheckout } from '../testing/calls.ts'
import { signedWebhook } from '../testing/card-network.ts'
import { captured, eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let services: [Service, Service]

beforeAll(async () => {
  stand = await startStand()
  // Two processes: nothing may hang on what one of them remembers.
  services = [stand.open(), stand.open()]
})
afterEach(() => {
  stand.cards.before = async () => {}
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

describe('20 presses of one buyer', () => {
  it('share one sale and one intent', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const answers = await times(20, (index) => buy(stand, serviceOf(index), buyer, listingId))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body['client_secret'])).size).toBe(1)
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
  })
})

describe('50 buyers of one item', () => {
  it('PAY-13 get one intent between them, and the others a conflict', async () => {
    const { listingId } = stand.catalog.addItem()
    const answers = await times(50, (index) => buy(stand, serviceOf(index), someone(`Buyer ${index}`), listingId))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body['code'] === 'reserved')).toHaveLength(49)
    const states = await statesOf(stand, listingId)
    expect(states.filter((state) => state !== 'released')).toEqual(['payable'])
  })
})

describe('50 confirmations and 50 copies of the webhook at once', () => {
  it('W4 PAY-13 capture the payment once', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, services[0], buyer, listingId)
    await stand.cards.pay(intent)
    const event = { id: 'evt_race', type: 'payment_intent.succeeded', intentId: intent.payment_intent_id }
    const { payload, headers } = signedWebhook(stand.cards, event)
    // Every confirmation has read `payable` before any of them hears that it was paid.
    const wait = gate(50)
    stand.cards.before = wait
    const [confirmations, webhooks] = await Promise.all([
      times(50, (index) => confirm(stand, serviceOf(index), buyer, intent)),
      times(50, (index) =>
        serviceOf(index).publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers }),
      ),
    ])
    expect(new Set(confirmations.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(webhooks.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
    expect(await eventsOf(stand, listingId)).toEqual(['PaymentSucceeded'])
  })
})

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
