import type { KnownKey } from '@marketplace/kit/idempotency-answers.ts'
import type { KeyedRequest } from '@marketplace/kit/idempotency-key.ts'

/** What a bid is answered from: a judgement, of itself or of one ahead with the same key, or its key's first answer. */
export type Turn<Bid, Body> = { kind: 'judged'; bid: Bid } | { kind: 'known'; known: KnownKey<Body> }

/** Sorts out who is judged: a key that was answered, or that comes twice in the group, is not judged again. */
export function sortOutKeys<Bid extends { keyed: KeyedRequest | null }, Body>(
  bids: readonly Bid[],
  known: ReadonlyMap<string, KnownKey<Body>>,
): Turn<Bid, Body>[] {
  const firsts = new Map<string, { bid: Bid; bodyHash: Buffer }>()
  return bids.map((bid): Turn<Bid, Body> => {
    const { keyed } = bid
    if (keyed === null) return { kind: 'judged', bid }
    const answered = known.get(keyed.id)
    if (answered) return { kind: 'known', known: answered }
    const first = firsts.get(keyed.id) ?? { bid, bodyHash: keyed.bodyHash }
    firsts.set(keyed.id, first)
    return first.bodyHash.equals(keyed.bodyHash)
      ? { kind: 'judged', bid: first.bid }
      : { kind: 'known', known: { state: 'reused' } }
  })
}
