import { findRecord, type Database } from './database.ts'
import type { PaymentIntent } from './intent.ts'
import type { Stretch } from './lists.ts'
import { noSuch } from './problems.ts'

export function saveIntent(database: Database, intent: PaymentIntent): PaymentIntent {
  const sql = 'INSERT INTO intents (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record'
  database.prepare(sql).run(intent.id, JSON.stringify(intent))
  return intent
}

export function getIntent(database: Database, id: string): PaymentIntent {
  const record = findRecord(database, 'SELECT record FROM intents WHERE id = ?', id)
  if (record === undefined) throw noSuch('payment_intent', id, 'intent')
  return JSON.parse(record)
}

/** Newest first; none that is older than `since`, in seconds. */
export function olderIntents(database: Database, { after, count }: Stretch, since: number): PaymentIntent[] {
  if (after !== null) getIntent(database, after)
  return database
    .prepare(
      `SELECT record FROM intents WHERE record ->> 'created' >= ?1
       AND (?2 IS NULL OR rowid < (SELECT rowid FROM intents WHERE id = ?2))
       ORDER BY rowid DESC LIMIT ?3`,
    )
    .all(since, after, count)
    .map((row): PaymentIntent => JSON.parse(String(row['record'])))
}

/** Newest first; `after` is the charge of one. */
export function succeededIntents(database: Database, { after, count }: Stretch): PaymentIntent[] {
  if (after !== null && !findIntentOfCharge(database, after)) throw noSuch('charge', after, 'starting_after')
  return database
    .prepare(
      `SELECT record FROM intents WHERE record ->> 'status' = 'succeeded'
       AND (?1 IS NULL OR rowid < (SELECT rowid FROM intents WHERE record ->> 'latest_charge' = ?1))
       ORDER BY rowid DESC LIMIT ?2`,
    )
    .all(after, count)
    .map((row): PaymentIntent => JSON.parse(String(row['record'])))
}

export function findIntentOfCharge(database: Database, charge: string): PaymentIntent | undefined {
  const record = findRecord(database, `SELECT record FROM intents WHERE record ->> 'latest_charge' = ?`, charge)
  return record === undefined ? undefined : JSON.parse(record)
}
