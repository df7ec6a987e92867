import { randomFillSync } from 'node:crypto'

// Buffer of random bytes. It is filled in one system call, because each call costs about 1 µs regardless of the number
// of bytes.
const pool = Buffer.alloc(4096)
let used = pool.length

/**
 * Returns `count` random bytes for ids that only need to be unique. The result is a view of a shared buffer, so use it
 * before the next call.
 */
export function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

/** Returns `count` random bytes as hexadecimal digits. */
export function randomHex(count: number): string {
  return randomBytes(count).toString('hex')
}
