// `npm run test:faults`: every race in its long form, every crash and freeze under load, every mistake that the invariant
// checker has to notice, and the long walks.
import { run } from './run.ts'
import { runSuites } from './suites.ts'

const env = { FAULTS: 'all', RACE_ROUNDS: '200' }

const walks = ['e2e/proofs/bad-input.spec.ts', 'e2e/proofs/keys.spec.ts']

await runSuites('Faults', [
  ['Races, 200 rounds each', () => run('vitest', ['run', 'races'], { echo: true, env })],
  ['Faults under load', () => run('playwright', ['test', 'e2e/faults/'], { cwd: 'e2e', echo: true, env })],
  ['Long walks', () => run('playwright', ['test', ...walks], { cwd: 'e2e', echo: true, env })],
])
