import { openDatabase, transaction } from '@marketplace/kit/db/db.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Db, PaymentsTables } from '../db.ts'
import { openDisputes } from '../provider/disputes.ts'
import { openRefunds } from '../provider/refunds.ts'
import { applyRefunds } from '../refund/apply-refunds.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { statesOf } from '../testing/ledger.ts'
import { expectLedgerMatchesProvider } from '../testing/ledger-assertions.ts'
import { balancesOf, paySale, refundAtProvider, type PaidSale } from '../testing/paid-sales.ts'
import { applyDisputes } from './apply-disputes.ts'

const rounds = Number(process.env['RACE_ROUNDS'] ?? 20)

let harness: Harness
let service: Service
let connections: readonly [Db, Db]

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
  const open = () => openDatabase<PaymentsTables>(harness.database.ownerUrl, () => {}, { connections: 1 })
  connections = [open(), open()]
})
afterEach(() => expectLedgerMatchesProvider(harness))
afterAll(async () => {
  await Promise.all(connections.map((db) => db.destroy()))
  await harness.stop()
})

const readDisputes = ({ intentId }: PaidSale) => openDisputes(harness.cards.stripe).list(intentId)
const readRefunds = ({ intentId }: PaidSale) => openRefunds(harness.cards.stripe).list(intentId)

/** Applies each read in its own transaction, alternating between two connections. Returns the errors. */
async function applyAtOnce(work: readonly ((db: Db) => Promise<unknown>)[]): Promise<unknown[]> {
  const results = await Promise.allSettled(work.map((apply, nth) => apply(connections[nth % 2 === 0 ? 0 : 1])))
  return results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
}

const journalsOf = async ({ saleId }: PaidSale) =>
  (await harness.db.selectFrom('journals').select('kind').where('sale_id', '=', saleId).execute())
    .map(({ kind }) => kind)
    .toSorted()

// Fails without `lockSale` in `applyDisputes`: both transactions find no lost dispute and charge the sale back.
describe('the events of one dispute, applied by two connections at once', () => {
  it('are posted once and end in the newest state', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const sale = await paySale(harness, service)
      const id = harness.cards.dispute(sale.intentId)
      const created = await readDisputes(sale)
      harness.cards.endDispute(id, 'lost')
      const closed = await readDisputes(sale)
      const apply = (made: typeof created) => (db: Db) =>
        transaction(db, (trx) => applyDisputes(trx, sale.saleId, made))
      expect(await applyAtOnce([apply(closed), apply(closed), apply(created), apply(created)])).toEqual([])
      const found = harness.db.selectFrom('disputes').select(['state', 'charged_back_cents']).where('id', '=', id)
      expect(await found.executeTakeFirst()).toEqual({ state: 'lost', charged_back_cents: 2549 })
      expect(await journalsOf(sale)).toEqual(['capture', 'dispute_fee', 'dispute_lost', 'dispute_opened'])
      expect(await statesOf(harness, sale.listingId)).toEqual(['refunded'])
      expect(await balancesOf(harness, sale)).toEqual({})
    }
  })

  it('and refunds of its sale add up to the amount of the sale', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const sale = await paySale(harness, service)
      await refundAtProvider(harness, sale, 1000)
      const id = harness.cards.dispute(sale.intentId, { amount: 1549 })
      harness.cards.endDispute(id, 'lost')
      const [refunds, disputes] = [await readRefunds(sale), await readDisputes(sale)]
      const applyEach = (db: Db) => transaction(db, (trx) => applyDisputes(trx, sale.saleId, disputes))
      const refundEach = (db: Db) => transaction(db, (trx) => applyRefunds(trx, sale.saleId, refunds))
      expect(await applyAtOnce([applyEach, refundEach, refundEach, applyEach])).toEqual([])
      expect(await balancesOf(harness, sale)).toEqual({})
      expect(await statesOf(harness, sale.listingId)).toEqual(['refunded'])
    }
  })
})

// Fails without `lockSale` in `applyDisputes`: the transaction does not wait.
describe('a dispute of a sale that another transaction has locked', () => {
  it('is applied after that transaction, and sees what it committed', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId)
    const created = await readDisputes(sale)
    harness.cards.endDispute(id, 'lost')
    const closed = await readDisputes(sale)
    const [first, second] = connections
    let waiting: Promise<unknown> | undefined
    await transaction(first, async (trx) => {
      await applyDisputes(trx, sale.saleId, closed)
      waiting = transaction(second, (other) => applyDisputes(other, sale.saleId, created))
      await eventually(isWaitingForSale)
    })
    expect(await waiting).toEqual([])
    expect(await balancesOf(harness, sale)).toEqual({})
  })
})

async function isWaitingForSale(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'select *%transactions%for update%'`.execute(harness.db)
  return rows.length > 0
}
