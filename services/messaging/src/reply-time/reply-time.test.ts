import { expect, it } from 'vitest'
import { usualReplyTime, type Reply } from './reply-time.ts'

const now = new Date('2026-03-10T12:00:00.000Z')
const hours = (count: number) => count * 3_600_000
const receivedAt = new Date(now.getTime() - hours(480))
const after = (count: number): Reply => ({ receivedAt, repliedAt: new Date(receivedAt.getTime() + hours(count)) })
const unanswered = (sinceHours: number): Reply => ({
  receivedAt: new Date(now.getTime() - hours(sinceHours)),
  repliedAt: null,
})

it.each<[string, Reply[], string | null]>([
  ['without messages', [], null],
  ['with four replies', [1, 1, 1, 1].map(after), null],
  ['with a median of one hour', [0.1, 0.1, 1, 100, 100].map(after), 'hour'],
  ['with a median just above an hour', [0.1, 0.1, 1.01, 1.01, 1.01].map(after), 'hours'],
  ['with a median of six hours', [1, 1, 6, 9, 9].map(after), 'hours'],
  ['with a median of a day', [1, 1, 24, 90, 90].map(after), 'day'],
  ['with a median of a week', [1, 1, 168, 200, 200].map(after), 'days'],
  ['with a median above a week', [1, 1, 169, 200, 200].map(after), null],
  ['with the slower one of two medians', [1, 1, 1, 20, 20, 20].map(after), 'day'],
  ['with a message that waits for less than a day', [...[1, 1, 1, 1].map(after), unanswered(23)], null],
  ['with a message that waits for a day', [...[1, 1, 1, 1].map(after), unanswered(24)], 'hour'],
  ['with mostly unanswered messages', [after(1), after(1), unanswered(30), unanswered(40), unanswered(50)], null],
])('SELLR-03 the usual reply time %s', (_case, replies, expected) => {
  expect(usualReplyTime(replies, now)).toBe(expected)
})
