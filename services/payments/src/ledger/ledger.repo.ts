import { newId } from '@marketplace/kit/values/ids.ts'
import type { Trx } from '../db.ts'
import type { Journal } from './ledger.ts'

export interface JournalSubject {
  subject: string
  /** The provider's balance transaction that the journal posts. It is posted once. */
  providerRef?: string
}

/** Posts a journal of a sale. A second journal of the same kind and subject violates `journals_once_per_subject`. */
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
