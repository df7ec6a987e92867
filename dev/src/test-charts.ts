// `npm run test:charts`: stage A of the cluster's proof, for which no cluster is needed; Go and Python are, for its tools.
import { run } from './run.ts'
import { runSuites } from './suites.ts'

await runSuites('Charts', [
  ['Charts', () => run('vitest', ['run', '--config', 'vitest.charts.config.ts'], { echo: true })],
])
