import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import type { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancel, confirm, openCheckout } from '../testing/calls.ts'
import { signedWebhook } from '../testing/fake-card-network.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { runPersonalDataStep } from '../testing/personal-data.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterAll(() => harness.stop())

describe('the erasure of a seller', () => {
  it('is refused before it starts while the ledger owes the seller money, and not afterwards', async () => {
    const buyer = randomUser()
    const { listingId, sellerId } = harness.catalog.addItem()
    const intent = await openCheckout(harness, service, buyer, listingId)
    expect(await runPersonalDataStep(harness, sellerId, 'ask')).toEqual(['Payments or refunds are still open: 1.'])
    await harness.cards.pay(intent)
    await confirm(harness, service, buyer, intent)
    expect(await runPersonalDataStep(harness, sellerId, 'ask')).toEqual([
      'This user is owed $23.49 for completed sales.',
    ])
    expect(await runPersonalDataStep(harness, buyer.userId, 'ask')).toEqual([])
    // An erasure that all services accepted before this sale was paid is still carried out.
    expect(await runPersonalDataStep(harness, sellerId, 'erase')).toMatchObject({ 'payment methods': 0 })
  })
})

describe('the erasure of a buyer', () => {
  it('is refused while the charge of a released sale does not match the sale', async () => {
    const buyer = randomUser()
    const { listingId } = harness.catalog.addItem()
    await cancel(harness, service, buyer, await openCheckout(harness, service, buyer, listingId))
    const other = await harness.cards.stripe.paymentIntents.create({
      amount: 1234,
      currency: 'usd',
    } satisfies Stripe.PaymentIntentCreateParams)
    await harness.cards.pay({ payment_intent_id: other.id, client_secret: other.client_secret ?? '' })
    const sale = harness.db.updateTable('transactions').where('listing_id', '=', listingId)
    await sale.set({ intent_id: other.id }).execute()
    const event = { id: 'evt_mismatch', type: 'payment_intent.succeeded', intentId: other.id }
    const { payload, headers } = signedWebhook(harness.cards, event)
    await service.publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers })
    const sales = harness.db.selectFrom('transactions').selectAll().where('listing_id', '=', listingId)
    await eventually(async () => (await sales.executeTakeFirstOrThrow()).mismatched_at)
    expect(await sales.executeTakeFirst()).toMatchObject({ state: 'released', next_at: null })
    const objections = () => runPersonalDataStep(harness, buyer.userId, 'ask')
    expect(await objections()).toEqual(['Payments or refunds are still open: 1.'])
    await sale.set({ mismatched_at: null }).execute()
    expect(await objections()).toEqual([])
  })
})

describe('the export of a user', () => {
  it('has the sales that the user sees, and no checkout that was not paid', async () => {
    const buyer = randomUser()
    const { listingId } = harness.catalog.addItem()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await harness.cards.pay(intent)
    await confirm(harness, service, buyer, intent)
    const unpaid = harness.catalog.addItem().listingId
    await cancel(harness, service, buyer, await openCheckout(harness, service, buyer, unpaid))
    expect(await runPersonalDataStep(harness, buyer.userId, 'export')).toMatchObject({
      sales: [{ listingId, role: 'buyer', state: 'paid' }],
    })
  })
})
