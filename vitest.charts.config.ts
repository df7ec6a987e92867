import { patience } from './packages/testing/src/patience.ts'
import { defineConfig } from 'vitest/config'

// Stage A of the cluster's proof: needs Go and Python, and no cluster.
export default defineConfig({
  test: {
    globalSetup: ['dev/src/charts/charts-setup.ts'],
    include: ['dev/src/charts/*.charts.test.ts'],
    ...patience,
  },
})
