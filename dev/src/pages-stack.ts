import type { Stack } from './stack.ts'
import { withStack } from './with-stack.ts'

// People type faster here than the limits are made for.
const gateway = { LIMIT_SIGN_INS_PER_MINUTE: '6000', LIMIT_READS_PER_SECOND: '1000', LIMIT_WRITE_BURST: '1000' }

// Every page is filled, however busy this machine is.
const web = { FILL_TIMEOUT_MS: '10000' }

/** One stack with demo data for all who look at the pages. */
export function withPagesStack<Result>(use: (stack: Stack) => Promise<Result>): Promise<Result> {
  return withStack({ seedDemo: true, durable: false, env: { gateway, web } }, use)
}
