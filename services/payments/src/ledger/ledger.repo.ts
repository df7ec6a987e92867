import { newId } from '@marketplace/kit/ids.ts'
import type { Trx } from '../db.ts'
import type { Journal } from './ledger.ts'

/** Books a journal of a sale, once: the same kind again violates `journals_once`. */
export async function book(trx: Trx, saleId: string, { kind, entries }: Journal): Promise<void> {
  const id = newId()
  await trx.insertInto('journals').values({ id, sale_id: saleId, kind }).execute()
  await trx
    .insertInto('entries')
    .values(entries.map(({ account, amount }, line) => ({ journal_id: id, line, account, amount })))
    .execute()
}
