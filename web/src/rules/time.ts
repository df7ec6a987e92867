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

// Time in ms for which an announcement stays on the page, long enough for screen readers to notice.
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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

// The following functions format times like `Intl` for en-US. `Intl` is not used, because creating the first formatter
// takes 120 ms on a phone.
export function clockTime(at: Date): string {
  const hours = at.getHours()
  return `${hours % 12 || 12}:${String(at.getMinutes()).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`
}

export function monthAndDay(at: Date): string {
  return `${months[at.getMonth()]} ${at.getDate()}`
}

export function fullDate(at: Date): string {
  return `${monthAndDay(at)}, ${at.getFullYear()}`
}

export function exactTime(at: Date): string {
  return `${fullDate(at)}, ${clockTime(at)}`
}

export function dateAndTime(at: Date): string {
  return `${monthAndDay(at)}, ${clockTime(at)}`
}

export function messageTime(sentAt: string, now: number): string {
  const at = new Date(sentAt)
  const age = now - at.getTime()
  if (age < day) return clockTime(at)
  return age < 7 * day ? (weekdays[at.getDay()] ?? '') : monthAndDay(at)
}

/** Formats a time for a datetime-local input, in the browser's time zone, to the minute. */
export function toLocalInput(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * minute).toISOString().slice(0, 16)
}

/** Latest value of a datetime-local input that `Date` can parse. Without it, browsers accept years of six digits. */
export const maxLocalInput = '9999-12-31T23:59'

/** Parses the value of a datetime-local input, in the browser's time zone. Returns null if it is not a valid date. */
export function parseLocalInput(text: string): Date | null {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at
}
