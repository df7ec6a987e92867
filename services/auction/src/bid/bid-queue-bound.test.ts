import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { expect, it } from 'vitest'
import { createHarness } from '../testing/harness.ts'
import { createBidDecider } from './place-bid.ts'

it('accepts 1,000 waiting bids on an auction by default, and rejects further ones with 503 until they are decided', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  // The batches wait outside the database, whose statement timeout would end their wait on a busy machine.
  const harness = await createHarness((ctx) => {
    const decider = createBidDecider(ctx)
    return {
      concurrency: (listingId) => decider.concurrency(listingId),
      decide: async (batch) => {
        await released
        return decider.decide(batch)
      },
    }
  })
  const [listingId, bidder] = [await harness.openAuction(), randomUser()]
  const statuses: number[] = []
  const place = async (amount: number) => void statuses.push((await harness.bid(listingId, amount, bidder)).status)
  // One bid is in progress, and 1,000 bids wait behind it.
  const placed = Array.from({ length: 1011 }, (_, index) => place(101 + index))
  await eventually(() => statuses.length >= 10)
  expect(statuses).toEqual(Array(10).fill(503))

  release()
  await Promise.all(placed)
  expect(statuses.filter((status) => status === 503)).toHaveLength(10)
  expect((await harness.bid(listingId, 2000, bidder)).status).toBe(201)
  await harness.close()
})
