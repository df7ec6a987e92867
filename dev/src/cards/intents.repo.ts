import { findRecord, type Database } from './database.ts'
import type { PaymentIntent } from './intent.ts'
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

export function findIntentOfCharge(database: Database, charge: string): PaymentIntent | undefined {
  const record = findRecord(database, `SELECT record FROM intents WHERE record ->> 'latest_charge' = ?`, charge)
  return record === undefined ? undefined : JSON.parse(record)
}
