import { testTimeouts } from './packages/testing/src/test-timeouts.ts'
import { defineConfig } from 'vitest/config'

// Stage A of the cluster's proof: needs Go and Python, and no cluster.
export default defineConfig({
  test: {
    globalSetup: ['tests/deploy/charts-setup.ts'],
    include: ['tests/deploy/*.charts.test.ts'],
    ...testTimeouts,
  },
})
