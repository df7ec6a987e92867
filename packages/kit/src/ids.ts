import { v7 } from 'uuid'
import { z } from 'zod'
import { randomBytes } from './random-bytes.ts'

// With random bytes of our own, uuid leaves the order within a millisecond to us.
const last = { msecs: 0, seq: 0 }

/** A new UUIDv7: ordered by the time of its making, those of one process also within a millisecond. */
export function newId(): string {
  const random = randomBytes(16)
  const now = Date.now()
  // A counter that begins anywhere in 31 of its 32 bits (RFC 9562, 6.2, method 1), also while the clock goes back.
  if (now > last.msecs) Object.assign(last, { msecs: now, seq: random.readUInt32BE(0) >>> 1 })
  else last.seq += 1
  return v7({ random, ...last })
}

/** An id in a request; one spelling only. */
export const Id = z.uuidv7().toLowerCase()

export function isId(value: string): boolean {
  return Id.safeParse(value).success
}
