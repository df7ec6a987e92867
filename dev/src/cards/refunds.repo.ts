import { findRecord, type Database } from './database.ts'
import { noSuch } from './problems.ts'
import type { Refund } from './refunds.ts'

export function saveRefund(database: Database, refund: Refund): Refund {
  const sql = `INSERT INTO refunds (id, intent_id, amount, record) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET record = excluded.record`
  database.prepare(sql).run(refund.id, refund.payment_intent, refund.amount, JSON.stringify(refund))
  return refund
}

export function getRefund(database: Database, id: string): Refund {
  const record = findRecord(database, 'SELECT record FROM refunds WHERE id = ?', id)
  if (record === undefined) throw noSuch('refund', id, 'refund')
  return JSON.parse(record)
}

/** Newest first. */
export function refundsOf(database: Database, intentId: string): Refund[] {
  return database
    .prepare('SELECT record FROM refunds WHERE intent_id = ? ORDER BY rowid DESC')
    .all(intentId)
    .map((row): Refund => JSON.parse(String(row['record'])))
}
