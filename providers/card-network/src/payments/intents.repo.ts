import { findRecord, type Database } from './database.ts'
import type { PaymentIntent } from './intent.ts'
import type { PageRange } from './lists.ts'
import { noSuch } from '../http/problems.ts'

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

/** Returns how often an intent was confirmed, whatever the result. */
export function countConfirmations(database: Database, id: string): number {
  const row = database.prepare('SELECT count FROM confirmations WHERE intent_id = ?').get(id)
  return Number(row?.['count'] ?? 0)
}

export function recordConfirmation(database: Database, id: string): void {
  const sql =
    'INSERT INTO confirmations (intent_id, count) VALUES (?, 1) ON CONFLICT (intent_id) DO UPDATE SET count = count + 1'
  database.prepare(sql).run(id)
}

/** Returns intents created at or after `since` (seconds), newest first. */
export function olderIntents(database: Database, { after, count }: PageRange, since: number): PaymentIntent[] {
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

/** Returns succeeded intents, newest first; `after` is the id of a charge. */
export function succeededIntents(database: Database, { after, count }: PageRange): PaymentIntent[] {
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
