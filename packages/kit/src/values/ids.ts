import { v7 } from 'uuid'
import { z } from 'zod'
import { randomBytes } from './random-bytes.ts'

// Time and sequence number of the last id, which `uuid` does not track if the caller provides the random bytes.
const last = { msecs: 0, seq: 0 }

/** Returns a new UUIDv7. Ids are ordered by creation time, even if a process creates several in one millisecond. */
export function newId(): string {
  const random = randomBytes(16)
  const now = Date.now()
  // Each new millisecond starts the counter at a random 31-bit number (RFC 9562, 6.2, method 1). Within a millisecond,
  // or if the clock has gone backwards, the counter is incremented.
  if (now > last.msecs) Object.assign(last, { msecs: now, seq: random.readUInt32BE(0) >>> 1 })
  else last.seq += 1
  return v7({ random, ...last })
}

/** Schema of an id in a request, normalized to lower case. */
export const Id = z.uuidv7().toLowerCase()

export function isId(value: string): boolean {
  return Id.safeParse(value).success
}

/** Returns the time at which a UUIDv7 was created, in ms since 1970. */
export function createdAtMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}
