import type { Admin } from '@platformatic/kafka'
import type { Bounds } from './bus-kafka-position.ts'

/** The offset of each part at an instant (-1n: the end, -2n: the oldest); -1n where nothing is that new. */
async function offsetsOf(admin: Admin, topic: string, timestamp: bigint): Promise<Map<number, bigint>> {
  const metadata = await admin.metadata({ topics: [topic] })
  const count = metadata.topics.get(topic)?.partitionsCount ?? 0
  const partitions = Array.from({ length: count }, (_, partitionIndex) => ({ partitionIndex, timestamp }))
  const listed = await admin.listOffsets({ topics: [{ name: topic, partitions }] })
  return new Map(
    listed.flatMap(({ partitions: parts }) => parts.map(({ partitionIndex, offset }) => [partitionIndex, offset])),
  )
}

/** Where a topic's parts begin since an instant, and where they end now. */
export async function boundsOf(admin: Admin, topic: string, since: Date): Promise<Bounds> {
  const starts = await offsetsOf(admin, topic, BigInt(since.getTime()))
  return { starts, ends: await offsetsOf(admin, topic, -1n) }
}

/** How many events of each topic lie behind the group's committed offsets. */
export async function lagOf(admin: Admin, group: string, topics: readonly string[]): Promise<Map<string, number>> {
  const [known] = await admin.listConsumerGroupOffsets({ groups: [group] })
  const lags = await Promise.all(
    topics.map(async (topic): Promise<[string, number]> => {
      const [oldest, ends] = await Promise.all([offsetsOf(admin, topic, -2n), offsetsOf(admin, topic, -1n)])
      const mine = known?.topics.find(({ name }) => name === topic)?.partitions ?? []
      const behind = [...ends].map(([part, end]) => {
        const committed = mine.find(({ partitionIndex }) => partitionIndex === part)?.committedOffset ?? -1n
        // A group that has committed nothing yet starts with the oldest event there is.
        return Number(end - (committed < 0n ? (oldest.get(part) ?? 0n) : committed))
      })
      return [topic, behind.reduce((sum, events) => sum + Math.max(0, events), 0)]
    }),
  )
  return new Map(lags)
}
