import type { Stripe } from 'stripe'
import { findRecord, type Database } from './database.ts'
import type { PageRange } from './lists.ts'
import { noSuch } from '../http/problems.ts'

/** Stripe's Refund, which here always refers to an intent. */
export interface Refund extends Stripe.Refund {
  payment_intent: string
}

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

export function refundsOf(database: Database, intentId: string): Refund[] {
  return database
    .prepare('SELECT record FROM refunds WHERE intent_id = ?')
    .all(intentId)
    .map((row): Refund => JSON.parse(String(row['record'])))
}

/** Returns the amount of an intent that was refunded or has a pending refund, in cents. */
export function refundedOf(database: Database, intentId: string): number {
  const effective = refundsOf(database, intentId).filter(({ status }) => status !== 'failed')
  return effective.reduce((sum, { amount }) => sum + amount, 0)
}

/** Returns refunds of one intent, or all, newest first. */
export function olderRefunds(database: Database, { after, count }: PageRange, intentId: string | null): Refund[] {
  if (after !== null) getRefund(database, after)
  return database
    .prepare(
      `SELECT record FROM refunds WHERE (?1 IS NULL OR intent_id = ?1)
       AND (?2 IS NULL OR rowid < (SELECT rowid FROM refunds WHERE id = ?2))
       ORDER BY rowid DESC LIMIT ?3`,
    )
    .all(intentId, after, count)
    .map((row): Refund => JSON.parse(String(row['record'])))
}
