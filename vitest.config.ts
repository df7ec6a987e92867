import { testTimeouts } from './packages/testing/src/test-timeouts.ts'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    setupFiles: ['packages/testing/src/setup-declared-statuses.ts'],
    include: ['{packages,services,web,ops,providers,stack,tools,tests,load,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.{kafka,redis,s3,charts,stripe}.test.ts'],
    pool: 'forks',
    // The tests wait for Postgres and for clocks more than they compute; left to itself, one core of two would idle.
    maxWorkers: '100%',
    // Half of the time went into importing the same modules for each of 180 files.
    isolate: false,
    ...testTimeouts,
  },
})
