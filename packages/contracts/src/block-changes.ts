import type { BlockChanged } from './gen/marketplace/users/v1/users_pb.ts'

export interface BlockChange {
  blockerId: string
  blockedId: string
  isBlocked: boolean
  number: number
}

/**
 * How long the record of an ended block between two members is kept, in ms: 30 days. An older event about the block
 * that arrives within this time is recognized and ignored.
 */
export const endedBlockRetentionMs = 30 * 24 * 3_600_000

/**
 * Returns the last of these changes for each pair of blocking and blocked member. The result is sorted by their ids, so
 * that transactions lock the rows in the same order and cannot deadlock.
 */
export function latestBlockChanges(events: readonly BlockChanged[]): BlockChange[] {
  const latest = new Map<string, BlockChange>()
  for (const { blockerId, blockedId, isBlocked, number } of events) {
    const key = `${blockerId} ${blockedId}`
    const change = { blockerId, blockedId, isBlocked, number: Number(number) }
    if (change.number > (latest.get(key)?.number ?? 0)) latest.set(key, change)
  }
  return [...latest.keys()].toSorted().flatMap((key) => latest.get(key) ?? [])
}
