import { sql } from 'kysely'
import { transaction } from '@marketplace/kit/db/db.ts'
import type { Stripe } from 'stripe'
import type { Harness } from './harness.ts'

/** Simulates a process of the previous version, which created intents under `S:intent` with other parameters. */
export interface PreviousVersion {
  /** Creates the intent of a held sale. */
  create(saleId: string): Promise<Stripe.PaymentIntent>
  /**
   * Makes the sale payable with the intent, or cancels the intent when the sale has another intent. Returns the client
   * secret that the buyer gets, if any.
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

/**
 * Inserts a full refund of a `refunded` sale without refunds, as the version before disputes does. That version takes
 * such a sale for a sale whose refund was not stored.
 */
export async function insertRefundOfPreviousVersion({ db }: Harness, saleId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into refunds (id, sale_id, amount_cents, origin, state, provider_id)
    select gen_random_uuid(), id, amount, 'not_available', 'succeeded', null from transactions
    where id = ${saleId} and state = 'refunded' and not exists (select from refunds where sale_id = ${saleId})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/**
 * Records that the whole amount, less earlier refunds, is owed to the buyer of a paid sale, as the version before
 * disputes does.
 */
export function oweRefundAsPreviousVersion({ db }: Harness, saleId: string): Promise<void> {
  return transaction(db, async (trx) => {
    await sql`update transactions set state = 'refunding', next_at = clock_timestamp()
      where id = ${saleId} and state = 'paid'`.execute(trx)
    await sql`insert into refunds (id, sale_id, amount_cents, origin, state)
      select gen_random_uuid(), id, amount - refunded_cents, 'not_available', 'owed' from transactions
      where id = ${saleId}`.execute(trx)
  })
}
