import { setImmediate as nextEventLoopTurn } from 'node:timers/promises'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import { expect, it } from 'vitest'
import { createBidQueue } from './bid-queue.ts'

interface Batch {
  listingId: string
  bids: readonly number[]
  commit(): void
}

// Batches commit when the test calls `commit`. Each result states the size of the bid's batch.
function createTestQueue(options: {
  maxBatchSize: number
  maxWaiting: number
  minSplitSize?: number
  concurrency?: 1 | 2
}) {
  const { minSplitSize = 2, concurrency = 1, ...limits } = options
  const batches: Batch[] = []
  const place = createBidQueue<number, string>({
    ...limits,
    minSplitSize,
    concurrency: () => concurrency,
    decide: (listingId, bids) =>
      new Promise((resolve, reject) => {
        const commit = () => {
          if (bids.includes(13)) reject(new Error('13 cannot be stored'))
          else resolve(bids.map((bid) => `${bid} of ${bids.length}`))
        }
        batches.push({ listingId, bids, commit })
      }),
  })
  return { batches, place }
}

// Commits a batch and waits until the queue has started the next one, if there is one.
async function commit(batches: readonly Batch[], index: number): Promise<void> {
  batches[index]?.commit()
  for (let turn = 0; turn < 3; turn += 1) await nextEventLoopTurn()
}

it('starts a lone bid at once and collects further bids while it commits', async () => {
  const { batches, place } = createTestQueue({ maxBatchSize: 3, maxWaiting: 10 })
  const results = [1, 2, 3, 4, 5].map((bid) => place('watch', bid))
  expect(batches.map((batch) => batch.bids)).toEqual([[1]])
  for (const size of [1, 3, 1]) {
    expect(batches.at(-1)?.bids).toHaveLength(size)
    await commit(batches, batches.length - 1)
  }
  expect(await Promise.all(results)).toEqual(['1 of 1', '2 of 3', '3 of 3', '4 of 3', '5 of 1'])
})

it('decides bids on different auctions in separate batches', () => {
  const { batches, place } = createTestQueue({ maxBatchSize: 3, maxWaiting: 10 })
  void place('watch', 1)
  void place('lamp', 2)
  expect(batches.map((batch) => batch.listingId)).toEqual(['watch', 'lamp'])
})

it('rejects bids while the queue is full and accepts bids again later', async () => {
  const { batches, place } = createTestQueue({ maxBatchSize: 3, maxWaiting: 2 })
  const results = [1, 2, 3].map((bid) => place('watch', bid))
  const rejection: unknown = await place('watch', 4).catch((error: unknown) => error)
  expect(rejection).toBeInstanceOf(DomainError)
  expect(rejection).toMatchObject({ kind: 'unavailable' })
  await commit(batches, 0)
  const late = place('watch', 5)
  await commit(batches, 1)
  await commit(batches, 2)
  expect(await Promise.all([...results, late])).toEqual(['1 of 1', '2 of 2', '3 of 2', '5 of 1'])
})

it('rejects only the bid that cannot be stored', async () => {
  const { batches, place } = createTestQueue({ maxBatchSize: 3, maxWaiting: 10 })
  const results = Promise.allSettled([1, 2, 13, 4].map((bid) => place('watch', bid)))
  for (let index = 0; index < 5; index += 1) await commit(batches, index)
  expect((await results).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    '1 of 1',
    '2 of 1',
    'failed',
    '4 of 1',
  ])
})

it('halves a long queue and never runs three batches at once when the concurrency is 2', async () => {
  const { batches, place } = createTestQueue({ maxBatchSize: 10, maxWaiting: 20, minSplitSize: 3, concurrency: 2 })
  const bids = (count: number) => Array.from({ length: count }, (_, index) => place('watch', index))
  void bids(3)
  // Two bids wait: too few for a second batch.
  expect(batches.map((batch) => batch.bids.length)).toEqual([1])
  void bids(9)
  expect(batches.map((batch) => batch.bids.length)).toEqual([1, 3])
  // Eight bids wait and three are in progress: the next batch takes half of the eleven.
  await commit(batches, 0)
  expect(batches.map((batch) => batch.bids.length)).toEqual([1, 3, 6])
  await commit(batches, 1)
  expect(batches).toHaveLength(3)
  await commit(batches, 2)
  expect(batches.map((batch) => batch.bids.length)).toEqual([1, 3, 6, 2])
})
