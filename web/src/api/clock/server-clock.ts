/**
 * Lower and upper bound, in milliseconds, for the server's time minus the browser's time. A single response gives a
 * range of at least one second, because its Date header has whole seconds; further responses narrow the range.
 */
export interface ClockBounds {
  low: number
  high: number
}

const unknown: ClockBounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

export function narrow(
  bounds: ClockBounds,
  response: { date: number; sentAt: number; receivedAt: number },
): ClockBounds {
  const low = response.date - response.receivedAt
  const high = response.date + 1000 - response.sentAt
  const next = { low: Math.max(bounds.low, low), high: Math.min(bounds.high, high) }
  // If `low` exceeds `high`, one of the clocks was changed, so only the newest response is used.
  return next.low <= next.high ? next : { low, high }
}

let bounds = unknown

export function recordServerTime(dateHeader: string | null, sentAt: number, receivedAt = Date.now()): void {
  const date = Date.parse(dateHeader ?? '')
  if (!Number.isNaN(date)) bounds = narrow(bounds, { date, sentAt, receivedAt })
}

/** Records a server time from the live stream as a lower bound only, because the delay of the stream is unknown. */
export function recordServerInstant(instant: number, receivedAt: number): void {
  if (Number.isNaN(instant)) return
  const low = Math.max(bounds.low, instant - receivedAt)
  bounds = low <= bounds.high ? { ...bounds, low } : { low, high: low + 1000 }
}

export function serverNow(): number {
  const offset = (bounds.low + bounds.high) / 2
  return Date.now() + (Number.isFinite(offset) ? offset : 0)
}
