import type { KeyState } from '@marketplace/kit/idempotency/stored-responses.ts'
import type { IdempotentRequest } from '@marketplace/kit/idempotency/key.ts'

/**
 * Where the response of a request comes from. `evaluated`: from the evaluation of `bid`, which is the request's own bid or, if an
 * earlier request of the batch has the same idempotency key, that one's. `known`: from a stored use of the key.
 */
export type BidSlot<Bid, Body> = { kind: 'evaluated'; bid: Bid } | { kind: 'known'; known: KeyState<Body> }

/** Separates the bids to evaluate from those whose key was used before, here or in another transaction. */
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
