import { runTask, storeTask, type PersonalDataStep } from '@marketplace/kit/personal-data/tasks.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirm, openCheckout } from '../testing/calls.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { personalData } from './personal-data.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterAll(() => harness.stop())

async function run(userId: string, step: PersonalDataStep) {
  const task = { requestId: newId(), userId, step }
  await transaction(harness.db, (trx) => storeTask(trx, task))
  return runTask(harness.db, personalData, task)
}

describe('the erasure of a seller', () => {
  it('is refused before it starts while the ledger owes the seller money, and not afterwards', async () => {
    const buyer = randomUser()
    const { listingId, sellerId } = harness.catalog.addItem()
    const intent = await openCheckout(harness, service, buyer, listingId)
    expect(await run(sellerId, 'ask')).toEqual(['Payments or refunds are still open: 1.'])
    await harness.cards.pay(intent)
    await confirm(harness, service, buyer, intent)
    expect(await run(sellerId, 'ask')).toEqual(['This user is owed $23.49 for completed sales.'])
    expect(await run(buyer.userId, 'ask')).toEqual([])
    // An erasure that all services accepted before this sale was paid is still carried out.
    expect(await run(sellerId, 'erase')).toMatchObject({ 'payment methods': 0 })
  })
})
