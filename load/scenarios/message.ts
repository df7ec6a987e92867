// Buyers write to sellers, and read their conversations.
import exec from 'k6/execution'
import type { Options } from 'k6/options'
import { send } from '../k6/send.ts'
import { read } from '../k6/buy.ts'
import { arrivals, summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { buyer, listings } from '../k6/seed.ts'

export const options: Options = {
  scenarios: { message: arrivals('message', 8, '60s') },
  thresholds: thresholds({
    ...times('open', 300, 800),
    ...times('write', 300, 800),
    ...times('conversations', 300, 800),
  }),
  summaryTrendStats,
}

export function message(): void {
  const number = exec.scenario.iterationInTest
  const cookie = buyer(number)
  const body = { listing_id: listings[(number * 7) % listings.length], message_text: `Is it still there? (${number})` }
  const { id }: { id: string } = read(send('POST', '/api/conversations', { cookie, body, name: 'open' }).body)
  const more = { conversation_id: id, message_text: 'And does it work?' }
  send('POST', '/api/messages', { cookie, body: more, name: 'write' })
  send('GET', '/api/conversations', { cookie, name: 'conversations' })
}
