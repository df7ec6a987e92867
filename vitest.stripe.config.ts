import { testTimeouts } from './packages/testing/src/test-timeouts.ts'
import { defineConfig } from 'vitest/config'

// The scenarios of the card provider at Stripe's sandbox; `npm run check:stripe` looks for the key first.
export default defineConfig({
  test: {
    include: ['services/payments/**/*.stripe.test.ts'],
    ...testTimeouts,
  },
})
