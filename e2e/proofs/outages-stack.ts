import { startChatEndpoint, type ChatEndpoint } from '../src/chat-endpoint.ts'
import { startTestStack, test as base, withoutPages } from '../src/stack.ts'

// From one address here as from many people there.
const patient = { LIMIT_SIGN_INS_PER_MINUTE: '6000', LIMIT_READS_PER_SECOND: '1000', LIMIT_WRITE_BURST: '1000' }

/** A stack with a chat endpoint, and with a Redis that is away. */
export const test = base.extend<object, { endpoint: ChatEndpoint }>({
  endpoint: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its parameter
    async ({}, use) => {
      const endpoint = await startChatEndpoint()
      await use(endpoint)
      await endpoint.stop()
    },
    { scope: 'worker' },
  ],
  stack: [
    async ({ endpoint }, use) => {
      const messaging = { OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: endpoint.url }
      // A Redis that was never there: nobody listens on this port.
      const gateway = { ...patient, REDIS_URL: 'redis://127.0.0.1:1' }
      const env = { messaging, gateway, search: { REDIS_URL: 'redis://127.0.0.1:1' } }
      // Without webhooks: a payment that was told of is confirmed without the card network.
      const stack = await startTestStack({ only: withoutPages, durable: false, webhooks: false, env })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})
