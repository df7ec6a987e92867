import { patience } from './packages/testing/src/patience.ts'
import { defineConfig } from 'vitest/config'

// Tests that need KAFKA_BROKERS; `npm run test:real` starts one.
export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    include: ['{packages,services,dev}/**/*.kafka.test.ts'],
    pool: 'forks',
    ...patience,
  },
})
