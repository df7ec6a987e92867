import type { Admin } from 'kafkajs'
import type { Bounds } from './position.ts'

/**
 * Returns two offsets per partition: the first one at or after the time `since` (negative if there is none), and the
 * current end.
 */
export async function boundsOf(admin: Admin, topic: string, since: Date): Promise<Bounds> {
  await admin.connect()
  const starts = await admin.fetchTopicOffsetsByTimestamp(topic, since.getTime())
  const ends = await admin.fetchTopicOffsets(topic)
  return {
    starts: new Map(starts.map(({ partition, offset }) => [partition, BigInt(offset)])),
    ends: new Map(ends.map(({ partition, high }) => [partition, BigInt(high)])),
  }
}

/** Returns, per topic, the number of events that the group has not committed yet. */
export async function lagOf(admin: Admin, group: string, topics: readonly string[]): Promise<Map<string, number>> {
  await admin.connect()
  const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] })
  const lags = await Promise.all(
    topics.map(async (topic): Promise<[string, number]> => {
      const ends = await admin.fetchTopicOffsets(topic)
      const committedOffsets = committed.find((known) => known.topic === topic)?.partitions ?? []
      const behind = ends.map(({ partition, high, low }) => {
        const offset = committedOffsets.find((entry) => entry.partition === partition)?.offset ?? '-1'
        // Offset -1 means that the group has committed nothing, so all events of the partition count as lag.
        return Number(BigInt(high) - (offset === '-1' ? BigInt(low) : BigInt(offset)))
      })
      return [topic, behind.reduce((sum, events) => sum + Math.max(0, events), 0)]
    }),
  )
  return new Map(lags)
}
