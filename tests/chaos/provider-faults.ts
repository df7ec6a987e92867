import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { clearCardFaults, injectCardFault, type CardFault } from '../faults/load/card-faults.ts'
import type { ChatEndpointMode } from '../support/processes/chat-endpoint.ts'
import type { ChaosStack } from './chaos-stack.ts'
import { longOrShort, type Fault } from './fault.ts'
import { pause } from './random.ts'

async function withCardFault(stack: ChaosStack, fault: CardFault): Promise<void> {
  await injectCardFault(stack, { ...fault, times: 1_000_000 })
  await pause(longOrShort(30_000, 10_000))
  await clearCardFaults(stack)
}

const modes: readonly ChatEndpointMode[] = ['down', 'broken', 'silent', 'late']

/** Whatever the endpoint does, the assistant must respond. */
async function chatDuringOutage({ url, servers }: ChaosStack): Promise<void> {
  const client = new MarketplaceClient(url)
  for (const mode of modes) {
    servers.chat.mode = mode
    const question = { message: 'How do I pay?', conversation_history: [] }
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => client.send<{ response?: string }>('POST', '/api/chat', question)),
    )
    servers.chat.mode = 'normal'
    for (const { status, body } of responses)
      if (status !== 200 || !body.response)
        throw new Error(`The help chat responded ${status} while the endpoint was ${mode}.`)
  }
}

// The load calls the card network directly, too.
const payments = /payments|buy-now|card network|fetch failed/

export const providerFaults: readonly Fault[] = [
  {
    title: 'the card network is down',
    inject: (stack) => withCardFault(stack, { kind: 'down' }),
    mayFail: payments,
  },
  {
    title: 'the card network fails after it did its work',
    inject: (stack) => withCardFault(stack, { kind: 'error' }),
    mayFail: payments,
  },
  {
    title: 'the card network responds after the deadline',
    inject: (stack) => withCardFault(stack, { kind: 'time_out', ms: 8000 }),
    mayFail: payments,
  },
  {
    title: 'the card network loses all its webhooks',
    inject: (stack) => withCardFault(stack, { kind: 'lose_webhook' }),
    mayFail: payments,
  },
  { title: 'the chat endpoint is down, broken, silent and late', inject: chatDuringOutage, mayFail: payments },
]
