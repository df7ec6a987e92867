import type { Message } from '../../api/types.ts'
import { fullDate } from '../../rules/time.ts'

type Day = { day: string; messages: Message[] }

/** Messages, oldest first, under the days of the browser's zone. */
export function groupByDay(messages: Message[]): Day[] {
  const days: Day[] = []
  for (const message of messages) {
    const day = fullDate(new Date(message.created_at))
    const last = days.at(-1)
    if (last?.day === day) last.messages.push(message)
    else days.push({ day, messages: [message] })
  }
  return days
}
