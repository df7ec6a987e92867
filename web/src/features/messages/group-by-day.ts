import type { Message } from '../../api/client/types.ts'
import { fullDate } from '../../rules/time.ts'

interface Day {
  day: string
  messages: Message[]
}

/** Groups messages by day in the browser's time zone. The messages must be ordered oldest first. */
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
