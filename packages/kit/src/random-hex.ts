import { randomFillSync } from 'node:crypto'

// One call to the system for many ids: it costs 1 µs however few bytes it brings.
const pool = Buffer.alloc(4096)
let used = pool.length

/** So many random bytes as hexadecimal digits, for ids that only have to differ. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
