import { newId } from '@marketplace/kit/values/ids.ts'
import type { Trx } from '../db.ts'
import type { Journal } from './ledger.ts'

export interface JournalSubject {
  subject: string
  /**
   * Id of the provider's balance transaction that this journal records. A unique index ensures that each balance
   * transaction is recorded once.
   */
  providerRef?: string
}

/**
 * Stores a journal, which is a balanced list of ledger entries, for a sale. `about` identifies the subject of the
 * journal, for example a refund or a dispute. Throws a unique violation of `journals_once_per_subject` if the sale
 * already has a journal with the same kind and subject.
 */
export async function postJournal(
  trx: Trx,
  saleId: string,
  { kind, entries }: Journal,
  about: string | JournalSubject = '',
): Promise<void> {
  const { subject, providerRef }: JournalSubject = typeof about === 'string' ? { subject: about } : about
  const id = newId()
  await trx
    .insertInto('journals')
    .values({ id, sale_id: saleId, kind, subject, provider_ref: providerRef ?? null })
    .execute()
  await trx
    .insertInto('entries')
    .values(entries.map(({ account, amount }, line) => ({ journal_id: id, line, account, amount })))
    .execute()
}
