import { v7 } from 'uuid'
import { z } from 'zod'
import { randomBytes } from './random-bytes.ts'

// With caller-supplied random bytes, `uuid` does not order ids within a millisecond, so the sequence is kept here.
const last = { msecs: 0, seq: 0 }

/** Returns a new UUIDv7, ordered by creation time. Ids of one process are ordered within a millisecond, too. */
export function newId(): string {
  const random = randomBytes(16)
  const now = Date.now()
  // 32-bit counter with a random 31-bit start (RFC 9562, 6.2, method 1). It also increments while the clock goes backwards.
  if (now > last.msecs) Object.assign(last, { msecs: now, seq: random.readUInt32BE(0) >>> 1 })
  else last.seq += 1
  return v7({ random, ...last })
}

/** Schema of an id in a request, normalized to lower case. */
export const Id = z.uuidv7().toLowerCase()

export function isId(value: string): boolean {
  return Id.safeParse(value).success
}
