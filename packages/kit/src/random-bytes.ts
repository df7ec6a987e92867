import { randomFillSync } from 'node:crypto'

// One call to the system for many: it costs 1 µs however few bytes it brings.
const pool = Buffer.alloc(4096)
let used = pool.length

/** So many random bytes, for ids that only have to differ; a view that is used before the next call. */
export function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

/** So many random bytes as hexadecimal digits. */
export function randomHex(count: number): string {
  return randomBytes(count).toString('hex')
}
