import type { Admin } from 'kafkajs'

/** How many events of each topic lie behind the group's committed offsets. */
export async function lagOf(admin: Admin, group: string, topics: readonly string[]): Promise<Map<string, number>> {
  const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] })
  const lags = await Promise.all(
    topics.map(async (topic): Promise<[string, number]> => {
      const ends = await admin.fetchTopicOffsets(topic)
      const mine = committed.find((known) => known.topic === topic)?.partitions ?? []
      const behind = ends.map(({ partition, high, low }) => {
        const offset = mine.find((part) => part.partition === partition)?.offset ?? '-1'
        // A group that has committed nothing yet starts with the oldest event there is.
        return Number(BigInt(high) - (offset === '-1' ? BigInt(low) : BigInt(offset)))
      })
      return [topic, behind.reduce((sum, events) => sum + Math.max(0, events), 0)]
    }),
  )
  return new Map(lags)
}
