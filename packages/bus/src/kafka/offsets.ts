import type { Admin } from 'kafkajs'
import type { Bounds } from './position.ts'

/** Returns for each partition the first offset at or after `since` and the current end offset. */
export async function boundsOf(admin: Admin, topic: string, since: Date): Promise<Bounds> {
  await admin.connect()
  const starts = await admin.fetchTopicOffsetsByTimestamp(topic, since.getTime())
  const ends = await admin.fetchTopicOffsets(topic)
  return {
    starts: new Map(starts.map(({ partition, offset }) => [partition, BigInt(offset)])),
    ends: new Map(ends.map(({ partition, high }) => [partition, BigInt(high)])),
  }
}

/** Returns the number of events per topic after the group's committed offsets. */
export async function lagOf(admin: Admin, group: string, topics: readonly string[]): Promise<Map<string, number>> {
  await admin.connect()
  const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] })
  const lags = await Promise.all(
    topics.map(async (topic): Promise<[string, number]> => {
      const ends = await admin.fetchTopicOffsets(topic)
      const committedOffsets = committed.find((known) => known.topic === topic)?.partitions ?? []
      const behind = ends.map(({ partition, high, low }) => {
        const offset = committedOffsets.find((entry) => entry.partition === partition)?.offset ?? '-1'
        // A group without a committed offset starts at the oldest event.
        return Number(BigInt(high) - (offset === '-1' ? BigInt(low) : BigInt(offset)))
      })
      return [topic, behind.reduce((sum, events) => sum + Math.max(0, events), 0)]
    }),
  )
  return new Map(lags)
}
