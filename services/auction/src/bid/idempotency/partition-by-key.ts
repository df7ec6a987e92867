import type { KeyState } from '@marketplace/kit/idempotency/stored-responses.ts'
import type { IdempotentRequest } from '@marketplace/kit/idempotency/key.ts'

/**
 * How a bid request gets its response: either `bid` is evaluated, or an earlier request with the same idempotency key
 * has stored a response.
 */
export type BidSlot<Bid, Body> = { kind: 'evaluated'; bid: Bid } | { kind: 'known'; known: KeyState<Body> }

/**
 * Returns, for each bid, whether it is evaluated or gets the response of an earlier request with its idempotency key.
 */
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
