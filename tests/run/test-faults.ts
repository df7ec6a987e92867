// `npm run test:faults` runs every race in its long form, every crash and freeze under load, every defect that the
// invariant checker has to find, and the long API walks.
import { run } from '@marketplace/tools/run/run.ts'
import { runSuites } from '@marketplace/tools/run/suites.ts'

const env = { FAULTS: 'all', RACE_ROUNDS: '200' }

const walks = ['system/api/bad-input.spec.ts', 'tests/system/api/keys.spec.ts']

await runSuites('Faults', [
  ['Races, 200 rounds each', () => run('vitest', ['run', 'races'], { echo: true, env })],
  ['Faults under load', () => run('playwright', ['test', 'faults/'], { cwd: 'tests', echo: true, env })],
  ['Long walks', () => run('playwright', ['test', ...walks], { cwd: 'tests', echo: true, env })],
])
