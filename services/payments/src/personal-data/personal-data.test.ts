import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirm, openCheckout } from '../testing/calls.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { runPersonalDataStep } from '../testing/personal-data.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterAll(() => harness.stop())

describe('the erasure of a seller', () => {
  it('is refused before it starts while the ledger owes the seller money, and not afterwards', async () => {
    const buyer = randomUser()
    const { listingId, sellerId } = harness.catalog.addItem()
    const intent = await openCheckout(harness, service, buyer, listingId)
    expect(await runPersonalDataStep(harness, sellerId, 'ask')).toEqual(['Payments or refunds are still open: 1.'])
    await harness.cards.pay(intent)
    await confirm(harness, service, buyer, intent)
    expect(await runPersonalDataStep(harness, sellerId, 'ask')).toEqual([
      'This user is owed $23.49 for completed sales.',
    ])
    expect(await runPersonalDataStep(harness, buyer.userId, 'ask')).toEqual([])
    // An erasure that all services accepted before this sale was paid is still carried out.
    expect(await runPersonalDataStep(harness, sellerId, 'erase')).toMatchObject({ 'payment methods': 0 })
  })
})
