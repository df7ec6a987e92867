const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const replyTimes = ['hour', 'hours', 'day', 'days'] as const

/** Usual reply time: up to 1 hour (`hour`), 6 hours (`hours`), 1 day (`day`) or 7 days (`days`). */
export type ReplyTime = (typeof replyTimes)[number]

/** A buyer's message and the seller's reply to it. */
export interface Reply {
  receivedAt: Date
  /** Null without a reply. */
  repliedAt: Date | null
}

// Minimum number of replies for which a usual reply time is shown. Fewer replies are not representative.
const minReplies = 5

/**
 * Returns how long a seller usually takes to reply, as the median of the reply times. A message without a reply is
 * ignored for 24 hours; after that, it counts as an infinite reply time. Returns null if fewer than five messages
 * count, or if the median is above a week.
 */
export function usualReplyTime(replies: readonly Reply[], now: Date): ReplyTime | null {
  const durations = replies.flatMap((reply) => durationOf(reply, now)).toSorted((one, other) => one - other)
  if (durations.length < minReplies) return null
  // With an even number of reply times, the upper of the two middle values is used, so that more than half of the
  // replies took at most this time.
  const median = durations[Math.floor(durations.length / 2)] ?? Number.POSITIVE_INFINITY
  if (median <= hourMs) return 'hour'
  if (median <= 6 * hourMs) return 'hours'
  if (median <= dayMs) return 'day'
  return median <= 7 * dayMs ? 'days' : null
}

function durationOf({ receivedAt, repliedAt }: Reply, now: Date): number[] {
  if (repliedAt !== null) return [repliedAt.getTime() - receivedAt.getTime()]
  return now.getTime() - receivedAt.getTime() < dayMs ? [] : [Number.POSITIVE_INFINITY]
}
