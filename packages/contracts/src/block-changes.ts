import type { BlockChanged } from './gen/marketplace/users/v1/users_pb.ts'

export interface BlockChange {
  blockerId: string
  blockedId: string
  isBlocked: boolean
  number: number
}

/** Time after which the record of an ended block is deleted, in ms: 30 days. Later events of the block are not expected. */
export const endedBlockRetentionMs = 30 * 24 * 3_600_000

/**
 * Returns the latest change of each block, in the order of the members' ids, so that concurrent transactions lock the
 * rows of blocks in the same order.
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
