import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { expect } from 'vitest'
import type { Harness } from './harness.ts'
import { captureEntries, eventsOf, ledgerOf } from './ledger.ts'
import { waitForStates } from './sweeps.ts'

/** Throws unless each sale's journals match the provider's charges less refunds, disputes and their fees, and all entries sum to zero. */
export async function expectLedgerMatchesProvider(harness: Harness): Promise<void> {
  const mismatches = await findMismatches(harness)
  if (mismatches.length > 0) throw new Error(`The ledger differs from the provider: ${JSON.stringify(mismatches)}`)
}

async function findMismatches(harness: Harness): Promise<unknown[]> {
  const { rows } = await sql<{ id: string; intent_id: string | null; state: string; recorded: number }>`
    select transactions.id, intent_id, state,
      coalesce(sum(entries.amount) filter (where account = 'provider'), 0)::integer as recorded
    from transactions left join journals on sale_id = transactions.id left join entries on journal_id = journals.id
    group by transactions.id`.execute(harness.db)
  const sales = rows.filter(({ intent_id }) => intent_id !== null)
  const compared = await Promise.all(
    sales.map(async (sale) => ({ ...sale, atProvider: await receivedAtProvider(harness, sale.intent_id ?? '') })),
  )
  const unbalanced = await sql`select sum(amount) as total from entries having sum(amount) <> 0`.execute(harness.db)
  return [...compared.filter(({ recorded, atProvider }) => recorded !== atProvider), ...unbalanced.rows]
}

async function receivedAtProvider({ cards }: Harness, intentId: string): Promise<number> {
  const [intent, refunds, disputes] = await Promise.all([
    cards.stripe.paymentIntents.retrieve(intentId),
    cards.stripe.refunds.list({ payment_intent: intentId } satisfies Stripe.RefundListParams),
    cards.stripe.disputes.list({ payment_intent: intentId } satisfies Stripe.DisputeListParams),
  ])
  const refunded = refunds.data.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
  const moved = disputes.data.flatMap((dispute) => dispute.balance_transactions.map(({ net }) => net))
  return [...moved, ...refunded.map((amount) => 0 - amount)].reduce(
    (sum, amount) => sum + amount,
    intent.amount_received,
  )
}

/** Waits until a listing's only sale is paid and expects exactly one payment in ledger and events. */
export async function expectPaidOnce(harness: Harness, listingId: string): Promise<void> {
  await waitForStates(harness, listingId, ['paid'])
  expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
  expect(await eventsOf(harness, listingId)).toEqual(['PaymentSucceeded'])
}
