/** Lower and upper bound, in ms, for the server's time minus the browser's time. */
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
  // The Date header is rounded down to whole seconds.
  const high = response.date + 1000 - response.sentAt
  const next = { low: Math.max(bounds.low, low), high: Math.min(bounds.high, high) }
  // If the old and the new bounds do not overlap, one of the clocks was changed, so the old bounds are discarded.
  return next.low <= next.high ? next : { low, high }
}

let bounds = unknown

export function recordServerTime(dateHeader: string | null, sentAt: number, receivedAt = Date.now()): void {
  const date = Date.parse(dateHeader ?? '')
  if (!Number.isNaN(date)) bounds = narrow(bounds, { date, sentAt, receivedAt })
}

/** Raises the lower bound: when a live-stream event arrives, the server's time is at least the event's `instant`. */
export function recordServerInstant(instant: number, receivedAt: number): void {
  if (Number.isNaN(instant)) return
  const low = Math.max(bounds.low, instant - receivedAt)
  bounds = low <= bounds.high ? { ...bounds, low } : { low, high: low + 1000 }
}

export function serverNow(): number {
  const offset = (bounds.low + bounds.high) / 2
  return Date.now() + (Number.isFinite(offset) ? offset : 0)
}
