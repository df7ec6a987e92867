import { newId } from '@marketplace/kit/values/ids.ts'
import { openDatabase, transaction } from '@marketplace/kit/db/db.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db, PaymentsTables } from '../db.ts'
import { withFees } from '../sale/sale.ts'
import { insertPendingSales } from '../sale/sales.repo.ts'
import { postJournal } from './ledger.repo.ts'
import { capture, lateCapture, refundOwed, refundPaid, type Journal } from './ledger.ts'

let database: TestDatabase
let db: Db
let saleId: string
const terms = withFees(
  { sellerId: newId(), title: 'A lamp', imageUrl: null, price: cents(1999), shipping: cents(450) },
  500,
)

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
  const sale = {
    id: saleId,
    listingId: newId(),
    buyerId: newId(),
    type: 'auction_win',
    inventoryService: 'auction',
  } as const
  await insertPendingSales(db, [{ ...sale, terms, dueAt: new Date() }])
})

const post = (journal: Journal) => transaction(db, (trx) => postJournal(trx, saleId, journal))

async function countEntries(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entries join journals on journals.id = journal_id
    where sale_id = ${saleId}`.execute(db)
  return rows[0]?.count ?? -1
}

describe('the ledger', () => {
  it('accepts a journal that sums to zero', async () => {
    await post(capture(terms))
    expect(await countEntries()).toBe(5)
  })

  it('rejects a journal that does not sum to zero', async () => {
    const unbalanced: Journal = { kind: 'capture', entries: [{ account: 'provider', amount: 1 }] }
    await expect(post(unbalanced)).rejects.toThrow(/sums to 1, not to zero/)
    expect(await countEntries()).toBe(0)
  })

  it('rejects a journal without entries', async () => {
    const insert = db.insertInto('journals').values({ id: newId(), sale_id: saleId, kind: 'capture' })
    await expect(insert.execute()).rejects.toThrow(/sums to nothing, not to zero/)
  })

  it('rejects an entry that is added to an existing journal', async () => {
    await post(capture(terms))
    const { id } = await db.selectFrom('journals').select('id').where('sale_id', '=', saleId).executeTakeFirstOrThrow()
    const insert = db.insertInto('entries').values({ journal_id: id, line: 9, account: 'provider', amount: 1 })
    await expect(insert.execute()).rejects.toThrow(/sums to 1, not to zero/)
  })

  it('accepts each kind of journal once per sale', async () => {
    for (const journal of [capture(terms), lateCapture(terms), refundOwed(terms), refundPaid(terms)]) {
      await post(journal)
      await expect(post(journal)).rejects.toThrow(/journals_once/)
    }
    expect(await countEntries()).toBe(14)
  })

  it('accepts the journals of a refund after a capture', async () => {
    await post(capture(terms))
    await post(refundOwed(terms))
    await post(refundPaid(terms))
    expect(await countEntries()).toBe(12)
  })

  it('denies the service’s role updates and deletes', async () => {
    await post(capture(terms))
    for (const table of ['journals', 'entries'] as const) {
      await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(/permission denied/)
      await expect(sql`truncate ${sql.table(table)}`.execute(db)).rejects.toThrow(/permission denied/)
    }
    await expect(sql`update entries set amount = 0`.execute(db)).rejects.toThrow(/permission denied/)
    await expect(sql`update journals set kind = 'capture'`.execute(db)).rejects.toThrow(/permission denied/)
  })
})
