import { testTimeouts } from './packages/testing/src/test-timeouts.ts'
import { defineConfig } from 'vitest/config'

// Tests that start a redis-server of their own; `npm run test:real` runs them.
export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    include: ['{packages,services,ops,stack}/**/*.redis.test.ts'],
    pool: 'forks',
    // The tests wait more than they compute; by default one core of two would be idle.
    maxWorkers: '100%',
    ...testTimeouts,
  },
})
