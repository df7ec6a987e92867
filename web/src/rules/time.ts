const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function inUnit(ms: number, unit: number): number {
  return Math.floor(ms / unit)
}

/** Formats the remaining time of an auction for a card, to the minute. */
export function cardCountdown(ms: number): string {
  if (ms <= 0) return 'Auction ended'
  if (ms >= day) return `${inUnit(ms, day)}d ${inUnit(ms % day, hour)}h left`
  if (ms >= hour) return `${inUnit(ms, hour)}h ${inUnit(ms % hour, minute)}m left`
  return `${inUnit(ms, minute)}m left`
}

/** Formats the remaining time of an auction for the detail page, to the second. */
export function detailCountdown(ms: number): string {
  if (ms <= 0) return 'Auction Ended'
  if (ms >= day) return `${inUnit(ms, day)}d ${inUnit(ms % day, hour)}h`
  if (ms >= hour) return `${inUnit(ms, hour)}h ${inUnit(ms % hour, minute)}m`
  if (ms >= minute) return `${inUnit(ms, minute)}m ${inUnit(ms % minute, 1000)}s`
  return `${inUnit(ms, 1000)}s`
}

const warnings = [
  [minute, '1 minute left'],
  [5 * minute, '5 minutes left'],
  [10 * minute, '10 minutes left'],
] as const

// Duration of an announcement, in ms, long enough that screen readers notice the announcement.
const announcementMs = 10_000

/**
 * Returns the announcement that 10, 5 or 1 minutes of an auction are left or that it has ended; otherwise an empty
 * string.
 */
export function timeWarning(ms: number): string {
  if (ms <= 0) return 'Auction ended'
  return warnings.find(([from]) => ms <= from && ms > from - announcementMs)?.[1] ?? ''
}

export type Urgency = 'calm' | 'today' | 'soon' | 'urgent' | 'ended'

export function urgency(ms: number): Urgency {
  if (ms <= 0) return 'ended'
  if (ms < 5 * minute) return 'urgent'
  if (ms < hour) return 'soon'
  return ms < day ? 'today' : 'calm'
}

export function listedAgo(createdAt: string, now: number): string {
  const age = now - Date.parse(createdAt)
  if (age < hour) return 'Just now'
  if (age < day) return `${inUnit(age, hour)}h ago`
  if (age < 7 * day) return `${inUnit(age, day)}d ago`
  return `${inUnit(age, 7 * day)}w ago`
}

function format(options: Intl.DateTimeFormatOptions): (at: Date) => string {
  // Creates the formatter on first use, because creating all six formatters takes a phone 20 ms.
  let formatter: Intl.DateTimeFormat | undefined
  // Replaces the narrow no-break space of newer ICU versions, so that server and browser render the same text.
  return (at) => {
    formatter ??= new Intl.DateTimeFormat('en-US', options)
    return formatter.format(at).replaceAll('\u202f', ' ')
  }
}

export const clockTime = format({ hour: 'numeric', minute: '2-digit' })
const weekday = format({ weekday: 'short' })
export const monthAndDay = format({ month: 'short', day: 'numeric' })
export const fullDate = format({ month: 'short', day: 'numeric', year: 'numeric' })
export const exactTime = format({ dateStyle: 'medium', timeStyle: 'short' })
export const dateAndTime = format({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

export function messageTime(sentAt: string, now: number): string {
  const at = new Date(sentAt)
  const age = now - at.getTime()
  if (age < day) return clockTime(at)
  return age < 7 * day ? weekday(at) : monthAndDay(at)
}

/** Formats a time for a datetime-local input, in the browser's time zone, to the minute. */
export function toLocalInput(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * minute).toISOString().slice(0, 16)
}
