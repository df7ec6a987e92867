import { describe, expect, it } from 'vitest'
import {
  cardCountdown,
  clockTime,
  dateAndTime,
  detailCountdown,
  exactTime,
  fullDate,
  listedAgo,
  messageTime,
  monthAndDay,
  parseLocalInput,
  timeWarning,
  toLocalInput,
  urgency,
} from './time.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe('the warnings before an auction ends', () => {
  it.each([
    [10 * minute + 1, ''],
    [10 * minute, '10 minutes left'],
    [10 * minute - 9 * second, '10 minutes left'],
    [10 * minute - 10 * second, ''],
    [5 * minute + 1, ''],
    [5 * minute, '5 minutes left'],
    [95 * second, ''],
    [minute, '1 minute left'],
    [minute - 10 * second, ''],
    [1, ''],
    [0, 'Auction ended'],
  ])('at %i ms: %s', (left, warning) => {
    expect(timeWarning(left)).toBe(warning)
  })
})

describe('countdowns', () => {
  it.each([
    [2 * day + 3 * hour + 59 * minute, '2d 3h left', '2d 3h'],
    [day, '1d 0h left', '1d 0h'],
    [day - 1, '23h 59m left', '23h 59m'],
    [3 * hour + 4 * minute, '3h 4m left', '3h 4m'],
    [hour - 1, '59m left', '59m 59s'],
    [4 * minute + 5 * second, '4m left', '4m 5s'],
    [5 * second + 999, '0m left', '5s'],
    [0, 'Auction ended', 'Auction Ended'],
    [-day, 'Auction ended', 'Auction Ended'],
  ])('round %i ms down to %s on a card and %s on the detail page', (ms, card, detail) => {
    expect([cardCountdown(ms), detailCountdown(ms)]).toEqual([card, detail])
  })

  it.each([
    [day, 'calm'],
    [day - 1, 'today'],
    [hour - 1, 'soon'],
    [5 * minute - 1, 'urgent'],
    [0, 'ended'],
  ])('classify an auction with %i ms left as %s', (ms, expected) => {
    expect(urgency(ms)).toBe(expected)
  })
})

describe('ages', () => {
  const now = Date.parse('2025-11-20T12:00:00Z')
  const ago = (ms: number) => new Date(now - ms).toISOString()

  it.each([
    [-5 * minute, 'Just now'],
    [hour - 1, 'Just now'],
    [hour, '1h ago'],
    [day - 1, '23h ago'],
    [day, '1d ago'],
    [7 * day - 1, '6d ago'],
    [7 * day, '1w ago'],
    [60 * day, '8w ago'],
  ])('describe a listing that is %i ms old as %s', (age, text) => {
    expect(listedAgo(ago(age), now)).toBe(text)
  })

  it('show the clock time of a message for a day, then its weekday for a week, then its date', () => {
    const clock = messageTime(ago(day - 1), now)
    const weekday = messageTime(ago(day), now)
    const date = messageTime(ago(7 * day), now)
    expect(clock).toMatch(/^\d{1,2}:\d{2} [AP]M$/)
    expect(weekday).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/)
    expect(date).toMatch(/^Nov \d{1,2}$/)
  })

  it('format the value of a datetime input in the time zone of the browser', () => {
    expect(toLocalInput(new Date(2025, 10, 3, 15, 5, 59))).toBe('2025-11-03T15:05')
  })

  it('parse the value of a datetime input in the time zone of the browser', () => {
    expect(parseLocalInput('2025-11-03T15:05')).toEqual(new Date(2025, 10, 3, 15, 5))
    expect(['', '20261-12-31T10:00', '202610-12-31T10:00'].map(parseLocalInput)).toEqual([null, null, null])
  })
})

describe('dates and times', () => {
  const date = { month: 'short', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit' } as const

  it.each([
    ['clock times', clockTime, time],
    ['days', monthAndDay, date],
    ['dates', fullDate, { ...date, year: 'numeric' }],
    ['dates with the time', dateAndTime, { ...date, ...time }],
    ['exact times', exactTime, { dateStyle: 'medium', timeStyle: 'short' }],
  ] as const)('format %s like Intl.DateTimeFormat', (_name, format, options) => {
    const formatter = new Intl.DateTimeFormat('en-US', options)
    for (let hours = 0; hours < 366 * 24; hours += 7) {
      const at = new Date(2028, 0, 1, hours, hours % 60)
      // ICU separates the time from AM and PM with a narrow no-break space.
      expect(format(at)).toBe(formatter.format(at).replaceAll('\u202F', ' '))
    }
  })

  it('format a clock time as 3:05 PM', () => {
    expect(clockTime(new Date(2025, 10, 3, 15, 5))).toBe('3:05 PM')
  })
})
