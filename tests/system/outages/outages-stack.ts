import { startChatEndpoint, type ChatEndpoint } from '../../support/processes/chat-endpoint.ts'
import { startTestStack, test as base, withoutPages } from '../../support/processes/stack.ts'

// All requests come from one address here.
const patient = { LIMIT_SIGN_INS_PER_MINUTE: '6000', LIMIT_READS_PER_SECOND: '1000', LIMIT_WRITE_BURST: '1000' }

/** A stack with a chat endpoint, and with a Redis that is unreachable. */
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
      // No server listens on this port.
      const gateway = { ...patient, REDIS_URL: 'redis://127.0.0.1:1' }
      const env = { messaging, gateway, search: { REDIS_URL: 'redis://127.0.0.1:1' } }
      // Without webhooks, a payment that was already recorded is confirmed without the card network.
      const stack = await startTestStack({ only: withoutPages, durable: false, webhooks: false, env })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})
