import { storeResponses, type KeyState } from '@marketplace/kit/idempotency/stored-responses.ts'
import { keyInProgress, keyReused } from '@marketplace/kit/idempotency/key.ts'
import type { Trx } from '../../db.ts'
import type { BidRequest } from '../bid-decider.ts'
import { rejectedResponse, type BidBody, type BidResponse } from '../bid-responses.ts'

/** Thrown when a concurrent bid on another auction has stored a response under an idempotency key of this batch. */
export class IdempotencyConflict extends Error {}

/**
 * Stores the responses to requests with an idempotency key. Throws `IdempotencyConflict` if a concurrent transaction
 * has already stored a response under one of the keys.
 */
export async function storeBidResponses(trx: Trx, responses: ReadonlyMap<BidRequest, BidResponse>): Promise<void> {
  const keyed = [...responses].flatMap(([{ idempotencyKey }, response]) =>
    idempotencyKey === null ? [] : { keyed: idempotencyKey, response },
  )
  const taken = await storeResponses(trx, keyed)
  if (taken.size > 0) throw new IdempotencyConflict()
}

/**
 * Returns the response for an idempotency key that was used before: the stored response, or 422 if the new request
 * differs from the first one.
 */
export function storedResponse(known: KeyState<BidBody>): BidResponse {
  if (known.state === 'done') return known.response
  return rejectedResponse(known.state === 'reused' ? keyReused() : keyInProgress())
}
