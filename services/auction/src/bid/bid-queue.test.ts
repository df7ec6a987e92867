import { setImmediate as nextTurn } from 'node:timers/promises'
import { DomainError } from '@marketplace/kit/problem.ts'
import { expect, it } from 'vitest'
import { openBidQueue } from './bid-queue.ts'

interface Group {
  listingId: string
  bids: readonly number[]
  commit(): void
}

// Groups that commit when the test says so; the answer tells the size of the bid's group.
function openTestQueue(given: { batchSize: number; waitingLimit: number; overlapFrom?: number; canOverlap?: boolean }) {
  const { overlapFrom = 2, canOverlap = false, ...limits } = given
  const groups: Group[] = []
  const place = openBidQueue<number, string>({
    ...limits,
    overlapFrom,
    canOverlap: () => canOverlap,
    decide: (listingId, bids) =>
      new Promise((resolve, reject) => {
        const commit = () => {
          if (bids.includes(13)) reject(new Error('13 cannot be stored'))
          else resolve(bids.map((bid) => `${bid} of ${bids.length}`))
        }
        groups.push({ listingId, bids, commit })
      }),
  })
  return { groups, place }
}

// Commits a group and waits for the next, which is formed a turn later; after the last one there is none.
async function commit(groups: readonly Group[], place: number): Promise<void> {
  groups[place]?.commit()
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
}

it('lets a lone bid begin at once, and the next collect while it commits', async () => {
  const { groups, place } = openTestQueue({ batchSize: 3, waitingLimit: 10 })
  const answers = [1, 2, 3, 4, 5].map((bid) => place('watch', bid))
  expect(groups.map((group) => group.bids)).toEqual([[1]])
  for (const size of [1, 3, 1]) {
    expect(groups.at(-1)?.bids).toHaveLength(size)
    await commit(groups, groups.length - 1)
  }
  expect(await Promise.all(answers)).toEqual(['1 of 1', '2 of 3', '3 of 3', '4 of 3', '5 of 1'])
})

it('keeps auctions apart', () => {
  const { groups, place } = openTestQueue({ batchSize: 3, waitingLimit: 10 })
  void place('watch', 1)
  void place('lamp', 2)
  expect(groups.map((group) => group.listingId)).toEqual(['watch', 'lamp'])
})

it('sends away whoever comes when too many wait, and takes bids again later', async () => {
  const { groups, place } = openTestQueue({ batchSize: 3, waitingLimit: 2 })
  const answers = [1, 2, 3].map((bid) => place('watch', bid))
  const refusal: unknown = await place('watch', 4).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DomainError)
  expect(refusal).toMatchObject({ kind: 'unavailable' })
  await commit(groups, 0)
  const late = place('watch', 5)
  await commit(groups, 1)
  await commit(groups, 2)
  expect(await Promise.all([...answers, late])).toEqual(['1 of 1', '2 of 2', '3 of 2', '5 of 1'])
})

it('lets one that cannot be stored fail alone', async () => {
  const { groups, place } = openTestQueue({ batchSize: 3, waitingLimit: 10 })
  const answers = Promise.allSettled([1, 2, 13, 4].map((bid) => place('watch', bid)))
  for (let place = 0; place < 5; place += 1) await commit(groups, place)
  expect((await answers).map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'))).toEqual([
    '1 of 1',
    '2 of 1',
    'failed',
    '4 of 1',
  ])
})

it('halves a crowd where that is possible: one half is decided beside the other, and never a third', async () => {
  const { groups, place } = openTestQueue({ batchSize: 10, waitingLimit: 20, overlapFrom: 3, canOverlap: true })
  const bids = (count: number) => Array.from({ length: count }, (_, index) => place('watch', index))
  void bids(3)
  // Two wait: too few for a group beside the first.
  expect(groups.map((group) => group.bids.length)).toEqual([1])
  void bids(9)
  expect(groups.map((group) => group.bids.length)).toEqual([1, 3])
  // Eight wait beside three: one half of all that are there.
  await commit(groups, 0)
  expect(groups.map((group) => group.bids.length)).toEqual([1, 3, 6])
  await commit(groups, 1)
  expect(groups).toHaveLength(3)
  await commit(groups, 2)
  expect(groups.map((group) => group.bids.length)).toEqual([1, 3, 6, 2])
})
