import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { Harness } from './harness.ts'

/** Simulates a process of the previous version, which created intents under `S:intent` with other parameters. */
export interface PreviousVersion {
  /** Creates the intent of a held sale. */
  create(saleId: string): Promise<Stripe.PaymentIntent>
  /**
   * Makes the sale payable with the intent, or cancels the intent when the sale has another one. Returns the secret to
   * show, if any.
   */
  commit(saleId: string, intent: Stripe.PaymentIntent): Promise<string | null>
}

export function createPreviousVersion({ cards: { stripe }, db }: Harness): PreviousVersion {
  return {
    create: (saleId) =>
      stripe.paymentIntents.create(
        { amount: 2549, currency: 'usd', metadata: { sale: saleId } } satisfies Stripe.PaymentIntentCreateParams,
        { idempotencyKey: `${saleId}:intent` } satisfies Stripe.RequestOptions,
      ),
    async commit(saleId, { id, client_secret }) {
      const updated = await db
        .updateTable('transactions')
        .set({
          state: 'payable',
          intent_id: id,
          faults: 0,
          version: sql`version + 1`,
          asked_at: sql`clock_timestamp()`,
        })
        .where('id', '=', saleId)
        .where('state', '=', 'held')
        .returning('id')
        .executeTakeFirst()
      if (updated) return client_secret
      const sale = await db.selectFrom('transactions').select('intent_id').where('id', '=', saleId).executeTakeFirst()
      const key = { idempotencyKey: `${saleId}:stray:${id}` } satisfies Stripe.RequestOptions
      if (sale?.intent_id !== id)
        await stripe.paymentIntents.cancel(id, {} satisfies Stripe.PaymentIntentCancelParams, key)
      return null
    },
  }
}
