import type { Stack } from './stack.ts'
import { withStack } from './with-stack.ts'

// The suites sign in and write faster than the production limits allow.
const gateway = { LIMIT_SIGN_INS_PER_MINUTE: '6000', LIMIT_READS_PER_SECOND: '1000', LIMIT_WRITE_BURST: '1000' }

// Long enough to prerender every page on a busy machine.
const web = { PRERENDER_TIMEOUT_MS: '10000' }

/** Runs one stack with demo data for the suites that test pages. */
export function withPagesStack<Result>(use: (stack: Stack) => Promise<Result>): Promise<Result> {
  return withStack({ seedDemo: true, durable: false, env: { gateway, web } }, use)
}
