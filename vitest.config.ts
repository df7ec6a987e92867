import { availableParallelism } from 'node:os'
import { testTimeouts } from './packages/testing/src/test-timeouts.ts'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    setupFiles: ['packages/testing/src/setup-declared-statuses.ts'],
    include: ['{packages,services,web,ops,providers,stack,tools,tests,load,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.{kafka,redis,s3,charts,stripe}.test.ts'],
    pool: 'forks',
    // Tests also wait for Postgres and for timers: with two workers, a quarter of two cores is idle.
    maxWorkers: Math.max(3, availableParallelism()),
    // Half of the time went into importing the same modules for each of 180 files.
    isolate: false,
    ...testTimeouts,
  },
})
