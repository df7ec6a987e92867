import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../testing/harness.ts'
import { startFastService } from '../testing/fast-service.ts'
import { balancesOf, captured, paySale, recheckNow, transactionOf, waitForDispute } from '../testing/paid-sales.ts'
import { waitForStates } from '../testing/sweeps.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

const stored = (id: string) =>
  harness.db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Loses a dispute whose amount the provider has not withdrawn. */
async function loseWithoutWithdrawal() {
  const sale = await paySale(harness, service)
  const id = harness.cards.dispute(sale.intentId, { isWithdrawn: false })
  harness.cards.endDispute(id, 'lost')
  await recheckNow(harness, sale)
  await waitForDispute(harness, id, 'lost')
  return { sale, id }
}

/** Makes the next read of a dispute due, which has not changed for this many days. */
async function readAfter(id: string, days: number): Promise<void> {
  await sql`
    update disputes set next_at = clock_timestamp(), changed_at = clock_timestamp() - ${days} * interval '1 day'
    where id = ${id}`.execute(harness.db)
}

async function metric(name: string): Promise<string | undefined> {
  const { body } = await service.internalApp.inject('/metrics')
  return new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1]
}

describe('a lost dispute without a withdrawal', () => {
  it('is read again until it has not changed for 120 days', async () => {
    const { id } = await loseWithoutWithdrawal()
    await readAfter(id, 119)
    await eventually(async () => Number((await stored(id)).next_at) > Date.now())
    expect(await stored(id)).toMatchObject({ closed_at: null, parked_at: null })
    expect(await metric('payments_parked_disputes')).toBe('0')
  })

  it('is parked and counted after 120 days, and no further read is scheduled', async () => {
    const { sale, id } = await loseWithoutWithdrawal()
    await readAfter(id, 120)
    await eventually(async () => (await stored(id)).parked_at !== null)
    await eventually(async () => (await metric('payments_parked_disputes')) === '1')
    // A recheck finds the same, which does not schedule reads again.
    const reads = countReads(sale.intentId)
    await recheckNow(harness, sale)
    await eventually(() => countReads(sale.intentId) > reads)
    await eventually(async () => (await stored(id)).updated_at > (await stored(id)).created_at)
    expect(await stored(id)).toMatchObject({ next_at: null, closed_at: null, parked_at: expect.any(Date) })
    expect(await transactionOf(harness, service, sale.buyer)).toMatchObject({ is_disputed: true, status: 'completed' })
    expect(await balancesOf(harness, sale)).toEqual(captured)
    await settle(id)
  })

  it('is closed when the money is withdrawn after it was parked', async () => {
    const { sale, id } = await loseWithoutWithdrawal()
    await readAfter(id, 121)
    await eventually(async () => (await stored(id)).parked_at !== null)
    harness.cards.withdrawDispute(id)
    await recheckNow(harness, sale)
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await stored(id)).toMatchObject({ next_at: null, closed_at: expect.any(Date), parked_at: null })
    expect(await transactionOf(harness, service, sale.buyer)).toMatchObject({ is_disputed: false, status: 'cancelled' })
    await eventually(async () => (await metric('payments_parked_disputes')) === '0')
  })
})

describe('an open dispute', () => {
  it('whose state changes is read again, although it is older than 120 days', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId)
    await recheckNow(harness, sale)
    await waitForDispute(harness, id, 'needs_response')
    await readAfter(id, 200)
    await eventually(async () => (await stored(id)).parked_at !== null)
    harness.cards.endDispute(id, 'lost')
    await recheckNow(harness, sale)
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await stored(id)).toMatchObject({ parked_at: null, closed_at: expect.any(Date) })
  })

  it('is counted as due 48 hours before the response is', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId)
    await recheckNow(harness, sale)
    await waitForDispute(harness, id, 'needs_response')
    const dueIn = (hours: number) =>
      sql`update disputes set due_by = clock_timestamp() + ${hours} * interval '1 hour' where id = ${id}`.execute(
        harness.db,
      )
    await dueIn(49)
    expect(await metric('payments_due_disputes')).toBe('0')
    await dueIn(47)
    await eventually(async () => (await metric('payments_due_disputes')) === '1')
    harness.cards.endDispute(id, 'won')
    await recheckNow(harness, sale)
    await waitForDispute(harness, id, 'won')
    await eventually(async () => (await metric('payments_due_disputes')) === '0')
  })
})

function countReads(intentId: string): number {
  return harness.cards.requests.filter(({ path }) => path.includes('/disputes') && path.includes(intentId)).length
}

// Leaves no parked dispute for the counts of other tests.
async function settle(id: string): Promise<void> {
  await sql`update disputes set closed_at = clock_timestamp(), next_at = null, parked_at = null where id = ${id}`.execute(
    harness.db,
  )
}
