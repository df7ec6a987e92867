import { openSync, closeSync, readFileSync, statSync, truncateSync } from 'node:fs'

const KEPT_BYTES = 20 * 1024 * 1024

/** Where a log stands now, so that what comes after can be told from what was there; a huge one starts over. */
export function markLog(file: string): number {
  closeSync(openSync(file, 'a', 0o600))
  if (statSync(file).size > KEPT_BYTES) truncateSync(file)
  return statSync(file).size
}

/** The last lines written since the mark, on one line. */
export function sentenceSince(file: string, mark: number): string {
  const lines = readFileSync(file).subarray(mark).toString().split('\n').filter(Boolean)
  return lines.slice(-4).join(' ').slice(0, 600)
}
