// `npm run test:charts` runs stage A of the cluster tests, which needs no cluster. Its tools need Go and Python.
import { run } from '@marketplace/tools/run/run.ts'
import { runSuites } from '@marketplace/tools/run/suites.ts'

await runSuites('Charts', [
  ['Charts', () => run('vitest', ['run', '--config', 'vitest.charts.config.ts'], { echo: true })],
])
