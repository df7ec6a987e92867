import { testTimeouts } from './packages/testing/src/test-timeouts.ts'
import { defineConfig } from 'vitest/config'

// Tests that start a S3 server of their own; `npm run test:real` runs them.
export default defineConfig({
  test: {
    include: ['{packages,services,ops,stack}/**/*.s3.test.ts'],
    pool: 'forks',
    ...testTimeouts,
  },
})
