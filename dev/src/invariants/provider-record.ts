import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

/** What the card provider has on one intent. */
export interface ProviderIntent {
  id: string
  saleId: string | null
  status: string
  received: number
  refunded: number
}

const IntentRecord = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: z.number().int(),
  metadata: z.record(z.string(), z.string()),
})

/** The local card network's own record, all of it: also what nobody here knows of. */
export function readCardNetwork(file: string): ProviderIntent[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    const rows = database
      .prepare(
        `select record, (
           select coalesce(sum(amount), 0) from refunds
           where intent_id = intents.id and record ->> 'status' = 'succeeded'
         ) as refunded from intents`,
      )
      .all()
    return rows.map((row) => toIntent(String(row['record']), Number(row['refunded'])))
  } finally {
    database.close()
  }
}

function toIntent(record: string, refunded: number): ProviderIntent {
  const { id, status, amount_received: received, metadata } = IntentRecord.parse(JSON.parse(record))
  return { id, saleId: metadata['sale'] ?? null, status, received, refunded }
}
