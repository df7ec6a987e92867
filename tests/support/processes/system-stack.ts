import { schemas } from '@marketplace/contracts/services.ts'
import { test as withStack, withoutPages, type TestStackOptions } from './stack.ts'

const many = '1000000'

/** The stack's limit of chat messages per user, which a test exceeds. */
export const chatsPerMinute = 60

/** Two processes of each service behind two gateways, without the pages. */
const systemStack: TestStackOptions = {
  only: withoutPages,
  replicas: { ...Object.fromEntries(schemas.map((service) => [service, 2])), gateway: 2 },
  env: {
    gateway: {
      STREAM_CLOSE_DELAY_MS: '500',
      // The few users of a test send as many requests as many users would.
      LIMIT_READS_PER_SECOND: many,
      LIMIT_WRITE_BURST: many,
      LIMIT_ADDRESS_WRITE_BURST: many,
      LIMIT_SIGN_INS_PER_MINUTE: many,
      LIMIT_CHATS_PER_MINUTE: String(chatsPerMinute),
    },
    // A confirmed purchase waits for the end of its listing, also on a busy machine.
    payments: { PAYMENT_POLL_INTERVAL_MS: '1000', SWEEP_INTERVAL_MS: '200', SETTLE_TIMEOUT_MS: '10000' },
  },
}

/** The system tests share one such stack, as users of one marketplace would. */
export const test = withStack.extend<object>({
  stackOptions: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its parameter
    async ({}, use) => use(systemStack),
    { scope: 'worker' },
  ],
})

export { expect } from './stack.ts'
