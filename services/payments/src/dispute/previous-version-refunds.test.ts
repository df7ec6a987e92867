import type { Service } from '@marketplace/kit/app/service.ts'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../testing/harness.ts'
import { startFastService } from '../testing/fast-service.ts'
import { statesOf } from '../testing/ledger.ts'
import {
  balancesOf,
  paySale,
  recheckNow,
  refuseSale,
  refundAtProvider,
  transactionOf,
  waitForDispute,
  type PaidSale,
} from '../testing/paid-sales.ts'
import { insertRefundOfPreviousVersion, oweRefundAsPreviousVersion } from '../testing/previous-version.ts'
import { waitForStates } from '../testing/sweeps.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

const rejected = { code: '40001', constraint: 'refunds_count_chargebacks' }

async function loseDispute(sale: PaidSale, amount: number): Promise<void> {
  const id = harness.cards.dispute(sale.intentId, { amount })
  harness.cards.endDispute(id, 'lost')
  await recheckNow(harness, sale)
  await waitForDispute(harness, id, 'lost')
}

async function countRefunds({ saleId }: PaidSale): Promise<number> {
  return (await harness.db.selectFrom('refunds').selectAll().where('sale_id', '=', saleId).execute()).length
}

describe('a process of the previous version', () => {
  it('cannot insert a full refund of a sale that was charged back', async () => {
    const sale = await paySale(harness, service)
    await loseDispute(sale, 2549)
    await waitForStates(harness, sale.listingId, ['refunded'])
    await expect(insertRefundOfPreviousVersion(harness, sale.saleId)).rejects.toMatchObject(rejected)
    expect(await countRefunds(sale)).toBe(0)
    expect(await transactionOf(harness, service, sale.buyer)).toMatchObject({ refunded_amount: 2549 })
  })

  it('inserts the missing refund of a sale that was refunded before refunds were stored', async () => {
    const sale = await paySale(harness, service)
    await refundAtProvider(harness, sale, 2549)
    await recheckNow(harness, sale)
    await waitForStates(harness, sale.listingId, ['refunded'])
    await harness.db.deleteFrom('refunds').where('sale_id', '=', sale.saleId).execute()
    expect(await insertRefundOfPreviousVersion(harness, sale.saleId)).toBe(1)
  })

  it('cannot owe the buyer what a lost dispute returned already, which the new version does not', async () => {
    const sale = await paySale(harness, service)
    await loseDispute(sale, 1000)
    await expect(oweRefundAsPreviousVersion(harness, sale.saleId)).rejects.toMatchObject(rejected)
    expect(await statesOf(harness, sale.listingId)).toEqual(['paid'])
    await refuseSale(harness, sale)
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await balancesOf(harness, sale)).toEqual({})
    expect(await transactionOf(harness, service, sale.buyer)).toMatchObject({ refunded_amount: 2549 })
  })

  it('cannot change the share of a refund that failed after a part was charged back', async () => {
    const sale = await paySale(harness, service)
    await refundAtProvider(harness, sale, 500)
    await loseDispute(sale, 1000)
    const change = harness.db.updateTable('refunds').set({ state: 'dropped' }).where('sale_id', '=', sale.saleId)
    await expect(change.execute()).rejects.toMatchObject(rejected)
    expect(await balancesOf(harness, sale)).toMatchObject({ provider: 1049 })
  })
})
