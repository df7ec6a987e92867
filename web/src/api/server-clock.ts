/**
 * How far the server's clock is ahead of ours, from the Date header of its answers. That header is cut to the second, so each
 * answer only bounds the offset; the bounds of several answers narrow it down.
 */
export type ClockBounds = { low: number; high: number }

const unknown: ClockBounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

export function narrow(bounds: ClockBounds, answer: { date: number; sentAt: number; receivedAt: number }): ClockBounds {
  const low = answer.date - answer.receivedAt
  const high = answer.date + 1000 - answer.sentAt
  const next = { low: Math.max(bounds.low, low), high: Math.min(bounds.high, high) }
  // One of the two clocks was set: only the newest answer counts.
  return next.low <= next.high ? next : { low, high }
}

let bounds = unknown

export function noteServerTime(dateHeader: string | null, sentAt: number, receivedAt = Date.now()): void {
  const date = Date.parse(dateHeader ?? '')
  if (!Number.isNaN(date)) bounds = narrow(bounds, { date, sentAt, receivedAt })
}

/** A server's instant that was just received: it was sent before, so the server's clock is at least that far. */
export function noteServerInstant(instant: number, receivedAt: number): void {
  if (Number.isNaN(instant)) return
  const low = Math.max(bounds.low, instant - receivedAt)
  bounds = low <= bounds.high ? { ...bounds, low } : { low, high: low + 1000 }
}

export function serverNow(): number {
  const offset = (bounds.low + bounds.high) / 2
  return Date.now() + (Number.isFinite(offset) ? offset : 0)
}
