import type { KeyState } from '@marketplace/kit/idempotency/stored-responses.ts'
import type { IdempotentRequest } from '@marketplace/kit/idempotency/key.ts'

/**
 * Source of the response to a bid request. `evaluated`: the evaluation of `bid`; requests in a batch with the same
 * idempotency key share one `bid`. `known`: an earlier use of the key.
 */
export type BidSlot<Bid, Body> = { kind: 'evaluated'; bid: Bid } | { kind: 'known'; known: KeyState<Body> }

/** Separates bids that must be evaluated from bids whose idempotency key was used before, in this batch or earlier. */
export function partitionByKey<Bid extends { idempotencyKey: IdempotentRequest | null }, Body>(
  bids: readonly Bid[],
  knownKeys: ReadonlyMap<string, KeyState<Body>>,
): BidSlot<Bid, Body>[] {
  const firstUses = new Map<string, { bid: Bid; bodyHash: Buffer }>()
  return bids.map((bid): BidSlot<Bid, Body> => {
    const { idempotencyKey: key } = bid
    if (key === null) return { kind: 'evaluated', bid }
    const known = knownKeys.get(key.id)
    if (known) return { kind: 'known', known }
    const firstUse = firstUses.get(key.id) ?? { bid, bodyHash: key.bodyHash }
    firstUses.set(key.id, firstUse)
    return firstUse.bodyHash.equals(key.bodyHash)
      ? { kind: 'evaluated', bid: firstUse.bid }
      : { kind: 'known', known: { state: 'reused' } }
  })
}
