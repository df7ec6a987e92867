import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startFastService } from '../testing/fast-service.ts'
import type { Harness } from '../testing/harness.ts'
import { paySale, refundAtProvider, transactionOf, type PaidSale } from '../testing/paid-sales.ts'
import { repeatRecheck } from './rechecks.repo.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

/** Makes the last recheck of a sale due. */
const startLastRecheck = ({ saleId }: PaidSale) =>
  sql`update transactions set rechecks = 5, recheck_at = clock_timestamp() where id = ${saleId}`.execute(harness.db)

async function scheduleOf({ saleId }: PaidSale) {
  const { rows } = await sql<{ rechecks: number; minutes: number | null }>`
    select rechecks, round(extract(epoch from recheck_at - clock_timestamp()) / 60)::integer as minutes
    from transactions where id = ${saleId}`.execute(harness.db)
  return rows[0]
}

describe('the last recheck of a sale', () => {
  it('is repeated after an hour when the provider did not respond, and finds what happened', async () => {
    const sale = await paySale(harness, service)
    harness.cards.faults.add({ kind: 'down', operation: 'read_refunds', times: 1_000_000 })
    await refundAtProvider(harness, sale, 1000)
    await startLastRecheck(sale)
    await eventually(async () => {
      const { rechecks, minutes } = (await scheduleOf(sale)) ?? {}
      return rechecks === 5 && minutes === 60
    })
    harness.cards.faults.clear()
    await sql`update transactions set recheck_at = recheck_at - interval '1 hour' where id = ${sale.saleId}`.execute(
      harness.db,
    )
    await eventually(async () => (await transactionOf(harness, service, sale.buyer))?.['refunded_amount'] === 1000)
    expect(await scheduleOf(sale)).toEqual({ rechecks: 6, minutes: null })
  })

  it('is not repeated when the schedule changed meanwhile', async () => {
    const sale = await paySale(harness, service)
    await repeatRecheck(harness.db, { saleId: sale.saleId, nextAt: null })
    expect(await scheduleOf(sale)).toEqual({ rechecks: 0, minutes: 60 })
  })
})
