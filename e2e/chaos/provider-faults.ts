import { MarketplaceClient } from '@marketplace/dev/client.ts'
import { forgetFaults, strike, type CardFault } from '../faults/card-switches.ts'
import type { ChatEndpointMood } from '../src/chat-endpoint.ts'
import type { ChaosStack } from './chaos-stack.ts'
import { longOrShort, type Fault } from './fault.ts'
import { pause } from './random.ts'

async function whileCards(stack: ChaosStack, fault: CardFault): Promise<void> {
  await strike(stack, { ...fault, times: 1_000_000 })
  await pause(longOrShort(30_000, 10_000))
  await forgetFaults(stack)
}

const moods: readonly ChatEndpointMood[] = ['down', 'broken', 'silent', 'late']

/** Whatever the endpoint does, people get an answer. */
async function askWhileChatIsOut({ url, servers }: ChaosStack): Promise<void> {
  const asker = new MarketplaceClient(url)
  for (const mood of moods) {
    servers.chat.mood = mood
    const question = { message: 'How do I pay?', conversation_history: [] }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => asker.send<{ response?: string }>('POST', '/api/chat', question)),
    )
    servers.chat.mood = 'well'
    for (const { status, body } of answers)
      if (status !== 200 || !body.response) throw new Error(`The help chat answered ${status} while ${mood}.`)
  }
}

// People pay at the card network themselves.
const payments = /payments|buy-now|card network|fetch failed/

export const providerFaults: readonly Fault[] = [
  {
    title: 'the card network is down',
    strike: (stack) => whileCards(stack, { kind: 'down' }),
    mayFail: payments,
  },
  {
    title: 'the card network fails after it did its work',
    strike: (stack) => whileCards(stack, { kind: 'error' }),
    mayFail: payments,
  },
  {
    title: 'the card network’s answers come too late',
    strike: (stack) => whileCards(stack, { kind: 'time_out', ms: 8000 }),
    mayFail: payments,
  },
  {
    title: 'the card network loses all its webhooks',
    strike: (stack) => whileCards(stack, { kind: 'lose_webhook' }),
    mayFail: payments,
  },
  { title: 'the chat endpoint is down, broken, silent and late', strike: askWhileChatIsOut, mayFail: payments },
]
