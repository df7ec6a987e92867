import { newId } from '@marketplace/kit/ids.ts'
import { openDatabase, transaction } from '@marketplace/kit/db.ts'
import { cents } from '@marketplace/kit/money.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db, PaymentsTables } from '../db.ts'
import { priced } from '../sale/sale.ts'
import { insertPendingSale } from '../sale/sales.repo.ts'
import { book } from './ledger.repo.ts'
import { capture, lateCapture, refundOwed, refundPaid, type Journal } from './ledger.ts'

let database: TestDatabase
let db: Db
let saleId: string
const terms = priced({ sellerId: newId(), title: 'A lamp', imageUrl: null, price: cents(1999), shipping: cents(450) })

beforeAll(async () => {
  database = await testDatabase('payments')
  db = openDatabase<PaymentsTables>(database.url, () => {})
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  saleId = newId()
  const sale = { id: saleId, listingId: newId(), buyerId: newId(), type: 'auction_win', owner: 'auction' } as const
  await insertPendingSale(db, { ...sale, terms, dueAt: new Date() })
})

const bookIt = (journal: Journal) => transaction(db, (trx) => book(trx, saleId, journal))

async function countEntries(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entries join journals on journals.id = journal_id
    where sale_id = ${saleId}`.execute(db)
  return rows[0]?.count ?? -1
}

describe('the ledger', () => {
  it('takes a journal that sums to zero', async () => {
    await bookIt(capture(terms))
    expect(await countEntries()).toBe(5)
  })

  it('refuses a journal that does not sum to zero', async () => {
    const unbalanced: Journal = { kind: 'capture', entries: [{ account: 'provider', amount: 1 }] }
    await expect(bookIt(unbalanced)).rejects.toThrow(/sums to 1, not to zero/)
    expect(await countEntries()).toBe(0)
  })

  it('refuses a journal without entries', async () => {
    const insert = db.insertInto('journals').values({ id: newId(), sale_id: saleId, kind: 'capture' })
    await expect(insert.execute()).rejects.toThrow(/sums to nothing, not to zero/)
  })

  it('refuses an entry that is added to a journal later', async () => {
    await bookIt(capture(terms))
    const { id } = await db.selectFrom('journals').select('id').where('sale_id', '=', saleId).executeTakeFirstOrThrow()
    const insert = db.insertInto('entries').values({ journal_id: id, line: 9, account: 'provider', amount: 1 })
    await expect(insert.execute()).rejects.toThrow(/sums to 1, not to zero/)
  })

  it('books each kind of journal once per sale', async () => {
    for (const journal of [capture(terms), lateCapture(terms), refundOwed(terms), refundPaid(terms)]) {
      await bookIt(journal)
      await expect(bookIt(journal)).rejects.toThrow(/journals_once/)
    }
    expect(await countEntries()).toBe(14)
  })

  it('has room for the journals of refunds', async () => {
    await bookIt(capture(terms))
    await bookIt(refundOwed(terms))
    await bookIt(refundPaid(terms))
    expect(await countEntries()).toBe(12)
  })

  it('lets the running role neither change nor delete what is booked', async () => {
    await bookIt(capture(terms))
    for (const table of ['journals', 'entries'] as const) {
      await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(/permission denied/)
      await expect(sql`truncate ${sql.table(table)}`.execute(db)).rejects.toThrow(/permission denied/)
    }
    await expect(sql`update entries set amount = 0`.execute(db)).rejects.toThrow(/permission denied/)
    await expect(sql`update journals set kind = 'capture'`.execute(db)).rejects.toThrow(/permission denied/)
  })
})
