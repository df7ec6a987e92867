import { expect, it } from 'vitest'
import { groupByDay } from './group-by-day.ts'

const at = (id: string, when: Date) => ({ id, sender_id: 'u', message_text: id, created_at: when.toISOString() })

it('groups messages by day in the browser’s time zone, oldest first', () => {
  const [a, b, c] = [
    at('a', new Date(2025, 10, 3, 9)),
    at('b', new Date(2025, 10, 3, 23, 59)),
    at('c', new Date(2025, 10, 4, 0, 1)),
  ]
  expect(groupByDay([a, b, c])).toEqual([
    { day: 'Nov 3, 2025', messages: [a, b] },
    { day: 'Nov 4, 2025', messages: [c] },
  ])
})
