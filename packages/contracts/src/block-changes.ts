import type { BlockChanged } from './gen/marketplace/users/v1/users_pb.ts'

export interface BlockChange {
  blockerId: string
  blockedId: string
  isBlocked: boolean
  number: number
}

/**
 * How long, in ms, consumers keep the row of an ended block, to recognize events that are older than the block's end.
 */
export const endedBlockRetentionMs = 30 * 24 * 3_600_000

/**
 * Returns the latest change for each pair of blocker and blocked member, sorted by blocker id and blocked id. Rows must
 * be locked in this order to prevent deadlocks.
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
