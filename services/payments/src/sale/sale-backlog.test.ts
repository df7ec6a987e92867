import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { insertPastSales } from '../testing/past-sales.ts'
import { readSaleBacklog } from './sale-backlog.repo.ts'
import { recordRefundDue } from './steps/refund-sale.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.stop())

const twoHours = 2 * 3600

/** Inserts a sale whose refund has been owed for two hours. Returns the sale's id. */
async function insertOwedRefund(): Promise<string> {
  const ids = { buyerId: newId(), sellerId: newId() }
  const [saleId = ''] = await insertPastSales(harness, { ...ids, count: 1, state: 'paid', type: 'buy_now' })
  await transaction(harness.db, (trx) => recordRefundDue(trx, { saleId, inventoryService: 'catalog' }))
  const since = sql`clock_timestamp() - ${twoHours} * interval '1 second'`
  await change(sql`update refunds set created_at = ${since}, updated_at = ${since} where sale_id = ${saleId}`)
  await change(sql`update journals set recorded_at = ${since} where sale_id = ${saleId}`)
  return saleId
}

const change = (statement: RawBuilder<unknown>) => statement.execute(harness.db)

async function insertDispute(saleId: string, state: string): Promise<string> {
  const id = newId()
  await change(sql`
    insert into disputes (id, sale_id, amount_cents, reason, state, changed_at, next_at)
    values (${id}, ${saleId}, 2549, 'fraudulent', ${state}, clock_timestamp(), clock_timestamp())`)
  return id
}

describe('the age of the oldest owed refund', () => {
  beforeEach(() => change(sql`update refunds set state = 'dropped', provider_id = null`))

  const readAge = async () => (await readSaleBacklog(harness.db)).refundAge

  it('is the time since it was owed', async () => {
    await insertOwedRefund()
    expect(await readAge()).toBeGreaterThanOrEqual(twoHours)
  })

  it('does not cover a refund that is pending at the provider', async () => {
    const saleId = await insertOwedRefund()
    await change(sql`update refunds set state = 'pending', provider_id = 're_1' where sale_id = ${saleId}`)
    expect(await readAge()).toBe(0)
  })

  it('does not cover a stuck refund, which has an alert of its own', async () => {
    const saleId = await insertOwedRefund()
    await change(sql`update refunds set stuck_at = clock_timestamp() where sale_id = ${saleId}`)
    expect(await readAge()).toBe(0)
  })

  it('does not cover a refund that waits for a dispute, and starts again when the dispute ends', async () => {
    const saleId = await insertOwedRefund()
    const id = await insertDispute(saleId, 'needs_response')
    expect(await readAge()).toBe(0)
    await change(sql`
      update disputes set state = 'won', changed_at = clock_timestamp() - interval '10 minutes' where id = ${id}`)
    const age = await readAge()
    expect([age >= 600, age < twoHours]).toEqual([true, true])
  })

  it('covers a refund during an inquiry, because the provider makes refunds then', async () => {
    await insertDispute(await insertOwedRefund(), 'warning_needs_response')
    expect(await readAge()).toBeGreaterThanOrEqual(twoHours)
  })
})
