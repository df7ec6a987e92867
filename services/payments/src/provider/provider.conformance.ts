import { newId } from '@marketplace/kit/values/ids.ts'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AmountRejected, type Provider } from './provider.ts'
import { readSignedEvent } from './webhook-signature.ts'

/** A card provider under test: Stripe's sandbox or an emulator of its API. */
export interface ProviderTarget {
  provider: Provider
  /** Client of the same provider account. Tests use it to pay and cancel as a buyer would. */
  stripe: Stripe
  /** Creates an intent with parameters that the SDK's types do not allow. */
  sendUntyped(parameters: Record<string, string>): Promise<{ status: number; code: unknown; param: unknown }>
  /** Returns the signed webhook of this type for an intent, as it was sent. */
  webhookOf(intentId: string, type: string): Promise<{ raw: Buffer; signature: string; secret: string }>
  close(): Promise<void>
}

const amount = 2549

/** Defines the tests of the provider behavior that the payments service relies on. */
export function providerConformance(name: string, open: () => Promise<ProviderTarget>): void {
  describe(`payments at ${name}`, () => {
    let target: ProviderTarget
    beforeAll(async () => {
      target = await open()
    })
    afterAll(() => target.close())

    const create = () => {
      const saleId = newId()
      return target.provider.createIntent({ key: `${saleId}:intent2`, saleId, amount })
    }
    // `payment_method` is one of Stripe's test cards.
    const confirm = (id: string, payment_method: string) =>
      target.stripe.paymentIntents.confirm(id, { payment_method } satisfies Stripe.PaymentIntentConfirmParams)
    const pay = async () => {
      const intent = await create()
      await confirm(intent.id, 'pm_card_visa')
      return intent
    }

    it('charges a card', async () => {
      const { id, saleId } = await create()
      await confirm(id, 'pm_card_visa')
      expect(await target.provider.readIntent(id)).toMatchObject({
        status: 'succeeded',
        amount,
        amountReceived: amount,
        currency: 'usd',
        saleId,
        paymentMethod: 'card',
      })
      expect(await target.stripe.paymentIntents.retrieve(id)).toMatchObject({
        allowed_payment_method_types: ['card'],
        payment_method_types: ['card'],
        transfer_group: saleId,
      })
      const since = Math.floor(Date.now() / 1000) - 600
      const { intents } = await target.provider.listIntents({ since, after: null, limit: 1000 })
      expect(intents.filter((intent) => intent.saleId === saleId).map((intent) => intent.id)).toEqual([id])
    })

    it('lists intents newest first, from the one after another on', async () => {
      const [older, newer] = [await create(), await create()]
      const since = Math.floor(Date.now() / 1000) - 600
      const first = await target.provider.listIntents({ since, after: null, limit: 1 })
      expect([first.intents.map(({ id }) => id), first.hasMore]).toEqual([[newer.id], true])
      const next = await target.provider.listIntents({ since, after: newer.id, limit: 1 })
      expect(next.intents).toEqual([
        { id: older.id, saleId: older.saleId, status: 'requires_payment_method', createdAt: expect.any(Number) },
      ])
    })

    it('declines a card and accepts another one for the same intent', async () => {
      const { id } = await create()
      await expect(confirm(id, 'pm_card_visa_chargeDeclined')).rejects.toMatchObject({
        code: 'card_declined',
        statusCode: 402,
      })
      expect(await target.provider.readIntent(id)).toMatchObject({
        status: 'requires_payment_method',
        amountReceived: 0,
      })
      expect((await confirm(id, 'pm_card_visa')).status).toBe('succeeded')
    })

    it('requires authentication (3-D Secure) before it charges the card', async () => {
      const { id } = await create()
      const confirmed = await confirm(id, 'pm_card_authenticationRequired')
      expect(confirmed).toMatchObject({ status: 'requires_action', next_action: { type: expect.any(String) } })
      expect(await target.provider.readIntent(id)).toMatchObject({ status: 'requires_action', amountReceived: 0 })
      expect(await target.provider.cancelIntent(id, `${id}:cancel`)).toMatchObject({ status: 'canceled' })
    })

    it('cancels an unpaid intent permanently and leaves a paid intent unchanged', async () => {
      const { id } = await create()
      expect(await target.provider.cancelIntent(id, `${id}:cancel`)).toMatchObject({ status: 'canceled' })
      expect(await target.provider.cancelIntent(id, `${id}:again`)).toMatchObject({ status: 'canceled' })
      await expect(confirm(id, 'pm_card_visa')).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' })
      const paid = await pay()
      expect(await target.provider.cancelIntent(paid.id, `${paid.id}:cancel`)).toMatchObject({ status: 'succeeded' })
    })

    it('refunds a payment once', async () => {
      const { id } = await pay()
      const { refunds } = target.provider
      const order = { intentId: id, amount, refundId: newId(), key: `${id}:refund` }
      const made = await refunds.create(order)
      expect(await refunds.create(order)).toMatchObject({ id: made?.id })
      expect(await refunds.create({ ...order, key: `${id}:refund:1` })).toBeNull()
      await expect.poll(() => refunds.list(id)).toEqual([{ id: made?.id, amount, status: 'succeeded' }])
    })

    it('returns the same intent for the same key and rejects other parameters under it', async () => {
      const [saleId, key] = [newId(), newId()]
      const first = await target.provider.createIntent({ key, saleId, amount })
      expect(await target.provider.createIntent({ key, saleId, amount })).toEqual(first)
      await expect(target.provider.createIntent({ key, saleId, amount: amount + 1 })).rejects.toBeInstanceOf(
        Stripe.errors.StripeIdempotencyError,
      )
    })

    it('signs its webhooks', async () => {
      const { id } = await pay()
      const { raw, signature, secret } = await target.webhookOf(id, 'payment_intent.succeeded')
      expect(readSignedEvent(raw, signature, secret)).toMatchObject({ type: 'payment_intent.succeeded', objectId: id })
      expect(readSignedEvent(raw, signature, `${secret}x`)).toBeNull()
      expect(readSignedEvent(Buffer.concat([raw, Buffer.from(' ')]), signature, secret)).toBeNull()
    })

    it.each([49, 100_000_000])('rejects an amount of %i cents', async (cents) => {
      const saleId = newId()
      const order = { key: `${saleId}:intent2`, saleId, amount: cents }
      await expect(target.provider.createIntent(order)).rejects.toBeInstanceOf(AmountRejected)
    })

    it.each([
      ['payment_method_types[0]', 'payment_method_types_no_longer_supported', 'payment_method_types'],
      ['allowed_payment_methods', 'parameter_unknown', 'allowed_payment_methods'],
    ])('rejects the parameter %s with %s', async (parameter, code, param) => {
      const order = { amount: String(amount), currency: 'usd', [parameter]: 'card' }
      expect(await target.sendUntyped(order)).toMatchObject({ status: 400, code, param })
    })
  })
}
