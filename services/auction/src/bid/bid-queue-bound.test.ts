import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { expect, it } from 'vitest'
import { createHarness } from '../testing/harness.ts'

it('accepts 1,000 waiting bids on an auction by default, and rejects further ones with 503 until they are decided', async () => {
  const harness = await createHarness()
  const [listingId, bidder] = [await harness.openAuction(), randomUser()]
  const release = await harness.lockAuction(listingId)
  const inProgress = harness.bid(listingId, 101, bidder)
  await harness.waitForBlockedStatements()
  const statuses: number[] = []
  const place = async (amount: number) => void statuses.push((await harness.bid(listingId, amount, bidder)).status)
  const placed = Array.from({ length: 1010 }, (_, index) => place(102 + index))
  await eventually(() => statuses.length >= 10)
  expect(statuses).toEqual(Array(10).fill(503))

  await release()
  await Promise.all([inProgress, ...placed])
  expect(statuses.filter((status) => status === 503)).toHaveLength(10)
  expect((await harness.bid(listingId, 2000, bidder)).status).toBe(201)
  await harness.close()
})
