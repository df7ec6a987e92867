import { openSync, closeSync, readFileSync, statSync, truncateSync } from 'node:fs'

const maxLogBytes = 20 * 1024 * 1024

/**
 * Returns the current size of a log, so that later output can be read on its own. Truncates a log of more than 20 MiB.
 */
export function markLog(file: string): number {
  closeSync(openSync(file, 'a', 0o600))
  if (statSync(file).size > maxLogBytes) truncateSync(file)
  return statSync(file).size
}

/** Returns the last lines written since the mark, joined to one line. */
export function outputSince(file: string, mark: number): string {
  const lines = readFileSync(file).subarray(mark).toString().split('\n').filter(Boolean)
  return lines.slice(-4).join(' ').slice(0, 600)
}
