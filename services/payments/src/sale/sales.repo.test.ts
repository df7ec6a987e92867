import { openDatabase } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentsSettings } from '../config.ts'
import type { Db, PaymentsTables } from '../db.ts'
import { withFees } from './sale.ts'
import { recordProviderError } from './sale-transitions.repo.ts'
import { claimDueSales, stopRechecks } from './due-sales.repo.ts'
import { insertNewSale, insertPendingSales, readSale, type PendingSale } from './sales.repo.ts'

let database: TestDatabase
let db: Db
let saleId: string

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
  await insertPendingSales(db, [pendingSale({ id: saleId })])
})

function pendingSale(overrides: Partial<PendingSale> = {}): PendingSale {
  const given = { sellerId: newId(), title: 'A lamp', imageUrl: null, price: cents(1999), shipping: cents(450) }
  const terms = withFees(given, 500)
  const defaults = {
    id: newId(),
    listingId: newId(),
    buyerId: newId(),
    type: 'auction_win',
    inventoryService: 'auction',
  } as const
  return { ...defaults, terms, dueAt: new Date(Date.now() + 3_600_000), ...overrides }
}

const statesOf = async (listingId: string) => {
  const rows = await db.selectFrom('transactions').select('state').where('listing_id', '=', listingId).execute()
  return rows.map((row) => row.state)
}

describe('the transactions table', () => {
  const violations: [string, string, RegExp][] = [
    ['an amount that is not price, shipping and fee', 'amount = amount + 1', /transactions_amount/],
    ['a seller amount that is not price less fee', 'seller_amount = seller_amount - 1', /transactions_seller_amount/],
    [
      'a fee that is not 5 %',
      'transaction_fee = 99, amount = amount - 1, seller_amount = seller_amount + 1',
      /transactions_fee/,
    ],
    ['a fee at another rate than the stored one', 'fee_basis_points = 400', /transactions_fee/],
    [
      'a negative rate',
      'fee_basis_points = -1, transaction_fee = 0, amount = sale_price + shipping_cost, seller_amount = sale_price',
      /transactions_fee_basis_points_check/,
    ],
    ['terms without a seller', 'seller_id = null', /transactions_terms_whole/],
    ['a buyer who is the seller', 'seller_id = buyer_id', /transactions_buyer_is_not_seller/],
    ['a payable sale without an intent', "state = 'payable'", /transactions_intent_from_payable/],
    ['an unknown state', "state = 'lost', intent_id = 'pi_1'", /transactions_state_check/],
  ]
  it.each(violations)('PAY-04 rejects %s', async (_what, change, constraint) => {
    await expect(sql`update transactions set ${sql.raw(change)} where id = ${saleId}`.execute(db)).rejects.toThrow(
      constraint,
    )
  })
})

describe('live sales', () => {
  it('PAY-13 are unique per listing once the item is held', async () => {
    const sale = pendingSale()
    await insertPendingSales(db, [sale])
    const other = pendingSale({ listingId: sale.listingId })
    await expect(insertPendingSales(db, [other])).rejects.toThrow(/transactions_one_live_per_listing/)
    await sql`update transactions set state = 'paid', intent_id = 'pi_paid' where id = ${sale.id}`.execute(db)
    await expect(insertPendingSales(db, [other])).rejects.toThrow(/transactions_one_live_per_listing/)
    await sql`update transactions set state = 'released' where id = ${sale.id}`.execute(db)
    await insertPendingSales(db, [other])
  })

  it('are unique per listing and buyer from the first request, but not across buyers', async () => {
    const kind = { type: 'buy_now', inventoryService: 'catalog', listingVersion: null } as const
    const request = { listingId: newId(), buyerId: newId(), ...kind }
    expect(await insertNewSale(db, request, 30_000)).toMatchObject({ state: 'new', version: 1, terms: null })
    expect(await insertNewSale(db, request, 30_000)).toBeUndefined()
    expect(await insertNewSale(db, { ...request, buyerId: newId() }, 30_000)).toMatchObject({ state: 'new' })
    expect(await statesOf(request.listingId)).toEqual(['new', 'new'])
  })

  it('are inserted once per id', async () => {
    const sale = pendingSale()
    await insertPendingSales(db, [sale])
    await insertPendingSales(db, [sale])
    expect(await statesOf(sale.listingId)).toEqual(['held'])
  })
})

describe('the claim of due sales', () => {
  it('gives each sale to one of several sweepers, and again when its retry is due', async () => {
    const settings = paymentsSettings
      .pick({
        PAYMENT_POLL_INTERVAL_MS: true,
        PAYMENT_FAST_POLL_WINDOW_MS: true,
        PAYMENT_SLOW_POLL_INTERVAL_MS: true,
        RETRY_DELAY_MS: true,
      })
      .parse({ RETRY_DELAY_MS: 3_600_000 })
    const sales = Array.from({ length: 30 }, () => pendingSale({ dueAt: new Date(Date.now() - 1000) }))
    await Promise.all(sales.map((sale) => insertPendingSales(db, [sale])))
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDueSales(db, settings)))
    const claimed = claims.flat().map(({ id }) => id)
    expect(new Set(claimed).size).toBe(claimed.length)
    expect(new Set(claimed)).toEqual(new Set(sales.map(({ id }) => id)))
    expect(await claimDueSales(db, settings)).toEqual([])
    await sql`update transactions set next_at = next_at - interval '1 hour' where id = any(${claimed})`.execute(db)
    const again = (await claimDueSales(db, settings)).map(({ id }) => id)
    expect(again).toHaveLength(20)
    expect(claimed).toEqual(expect.arrayContaining(again))
  })
})

describe('recordProviderError', () => {
  it('counts an error once when several calls received it', async () => {
    const sale = await readSale(db, saleId)
    await Promise.all(Array.from({ length: 5 }, () => recordProviderError(db, sale)))
    expect(await readSale(db, saleId)).toMatchObject({ failedAttempts: 1 })
  })

  it('does not lower the count when a call reports an older error late', async () => {
    const first = await readSale(db, saleId)
    await recordProviderError(db, first)
    await recordProviderError(db, await readSale(db, saleId))
    await recordProviderError(db, first)
    expect(await readSale(db, saleId)).toMatchObject({ failedAttempts: 2 })
  })

  it('changes nothing when the sale has left the state of the call', async () => {
    const sale = await readSale(db, saleId)
    await sql`update transactions set state = 'released' where id = ${saleId}`.execute(db)
    await recordProviderError(db, sale, 1000)
    expect(await readSale(db, saleId)).toMatchObject({ state: 'released', failedAttempts: 0 })
  })
})

describe('stopRechecks', () => {
  const nextAt = async () => {
    const sale = db.selectFrom('transactions').select('next_at').where('id', '=', saleId)
    return (await sale.executeTakeFirstOrThrow()).next_at
  }

  it('ends the rechecks of a released sale', async () => {
    await sql`update transactions set state = 'released' where id = ${saleId}`.execute(db)
    await stopRechecks(db, saleId)
    expect(await nextAt()).toBeNull()
  })

  it('keeps the scheduled refund of a sale that the recheck found to be paid', async () => {
    await sql`update transactions set state = 'refunding', intent_id = ${`pi_${saleId}`} where id = ${saleId}`.execute(
      db,
    )
    await stopRechecks(db, saleId)
    expect(await nextAt()).toBeInstanceOf(Date)
  })
})
