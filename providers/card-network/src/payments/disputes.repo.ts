import { noSuch } from '../http/problems.ts'
import { findRecord, type Database } from './database.ts'
import type { Dispute } from './dispute.ts'
import type { PageRange } from './lists.ts'

export function saveDispute(database: Database, dispute: Dispute): Dispute {
  const sql =
    'INSERT INTO disputes (id, intent_id, record) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record'
  database.prepare(sql).run(dispute.id, dispute.payment_intent, JSON.stringify(dispute))
  return dispute
}

export function getDispute(database: Database, id: string): Dispute {
  const record = findRecord(database, 'SELECT record FROM disputes WHERE id = ?', id)
  if (record === undefined) throw noSuch('dispute', id, 'dispute')
  return JSON.parse(record)
}

export function disputesOf(database: Database, intentId: string): Dispute[] {
  return olderDisputes(database, { after: null, count: 100 }, intentId)
}

/** Returns disputes of one intent, or all, newest first. */
export function olderDisputes(database: Database, { after, count }: PageRange, intentId: string | null): Dispute[] {
  if (after !== null) getDispute(database, after)
  return database
    .prepare(
      `SELECT record FROM disputes WHERE (?1 IS NULL OR intent_id = ?1)
       AND (?2 IS NULL OR rowid < (SELECT rowid FROM disputes WHERE id = ?2))
       ORDER BY rowid DESC LIMIT ?3`,
    )
    .all(intentId, after, count)
    .map((row): Dispute => JSON.parse(String(row['record'])))
}
