import { sql } from 'kysely'
import type { Stand } from './stand.ts'

/** Refuses books that are not what the provider took less what it gave back, sale by sale, or do not sum to zero. */
export async function checkBooks(stand: Stand): Promise<void> {
  const wrong = await wrongBooks(stand)
  if (wrong.length > 0) throw new Error(`Wrong in the books: ${JSON.stringify(wrong)}`)
}

async function wrongBooks(stand: Stand): Promise<unknown[]> {
  const { rows } = await sql<{ id: string; intent_id: string | null; state: string; booked: number }>`
    select transactions.id, intent_id, state,
      coalesce(sum(entries.amount) filter (where account = 'provider'), 0)::integer as booked
    from transactions left join journals on sale_id = transactions.id left join entries on journal_id = journals.id
    group by transactions.id`.execute(stand.db)
  const sales = rows.filter(({ intent_id }) => intent_id !== null)
  const compared = await Promise.all(
    sales.map(async (sale) => ({ ...sale, atProvider: await moneyOf(stand, sale.intent_id ?? '') })),
  )
  const unbalanced = await sql`select sum(amount) as total from entries having sum(amount) <> 0`.execute(stand.db)
  return [...compared.filter(({ booked, atProvider }) => booked !== atProvider), ...unbalanced.rows]
}

async function moneyOf({ cards }: Stand, intentId: string): Promise<number> {
  const [intent, refunds] = await Promise.all([
    cards.stripe.paymentIntents.retrieve(intentId),
    cards.stripe.refunds.list({ payment_intent: intentId }),
  ])
  const given = refunds.data.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
  return intent.amount_received - given.reduce((sum, amount) => sum + amount, 0)
}
