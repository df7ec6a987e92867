// `npm run test:faults`: every crash and freeze under load, and every mistake that the invariant checker has to notice.
import { run } from './run.ts'
import { runSuites } from './suites.ts'

const env = { FAULTS: 'all' }

await runSuites('Faults', [
  ['Faults under load', () => run('playwright', ['test', 'e2e/faults/'], { cwd: 'e2e', echo: true, env })],
])
