import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Db, PaymentsTables } from '../db.ts'
import { postWebhook } from '../testing/fake-card-network.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { refundsOf } from '../testing/ledger.ts'
import { expectLedgerMatchesProvider } from '../testing/ledger-assertions.ts'
import {
  balancesOf,
  paySale,
  refundAtProvider,
  refuseSale,
  waitForDispute,
  type PaidSale,
} from '../testing/paid-sales.ts'
import { fastSettings, waitForStates } from '../testing/sweeps.ts'

let harness: Harness
let service: Service
let admin: Db

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start(fastSettings)
  admin = openDatabase<PaymentsTables>(harness.database.adminUrl, () => {})
})
afterEach(async () => {
  harness.cards.before = async () => {}
  await expectLedgerMatchesProvider(harness)
})
afterAll(async () => {
  await admin.destroy()
  await harness.stop()
})

/**
 * Ends the database sessions of the transactions that have the provider's response and wait for the sale, as a crash between
 * response and commit does.
 */
async function crashBeforeCommit({ saleId }: PaidSale, change: () => Promise<unknown>): Promise<void> {
  let changing: Promise<unknown> | undefined
  await admin.transaction().execute(async (trx) => {
    await sql`select from payments.transactions where id = ${saleId} for update`.execute(trx)
    changing = change()
    await eventually(async () => {
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and usename = 'payments_app'`.execute(trx)
      return rows.length > 0
    })
  })
  await changing
}

let events = 0
const sendWebhook = (sale: PaidSale, type: string) => {
  events += 1
  return postWebhook(harness.cards, service, { id: `evt_crash_${events}`, type, intentId: sale.intentId })
}

async function journalsOf({ saleId }: PaidSale): Promise<string[]> {
  const rows = await harness.db.selectFrom('journals').select('kind').where('sale_id', '=', saleId).execute()
  return rows.map(({ kind }) => kind).toSorted()
}

describe('a process that crashes between the provider’s response and the commit', () => {
  it('posts a dispute once, when the sweeper repeats its webhook', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId)
    harness.cards.endDispute(id, 'lost')
    await crashBeforeCommit(sale, () => sendWebhook(sale, 'charge.dispute.closed'))
    await waitForDispute(harness, id, 'lost')
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await journalsOf(sale)).toEqual(['capture', 'dispute_fee', 'dispute_lost', 'dispute_opened'])
    expect(await balancesOf(harness, sale)).toEqual({})
  })

  it('posts a refund that was made at the provider once, when the sweeper repeats its webhook', async () => {
    const sale = await paySale(harness, service)
    await refundAtProvider(harness, sale, 2549)
    await crashBeforeCommit(sale, () => sendWebhook(sale, 'charge.refunded'))
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await journalsOf(sale)).toEqual(['capture', 'refund_owed', 'refund_paid'])
  })

  it('makes its own refund once', async () => {
    const sale = await paySale(harness, service)
    const [made, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    harness.cards.before = async ({ method, path }) => {
      if (method !== 'POST' || path !== '/v1/refunds') return
      made.resolve()
      await gate.promise
    }
    await refuseSale(harness, sale)
    await made.promise
    // The provider makes the refund while the sale is locked.
    await crashBeforeCommit(sale, async () => gate.resolve())
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549'])
    expect(await journalsOf(sale)).toEqual(['capture', 'refund_owed', 'refund_paid'])
  })
})
