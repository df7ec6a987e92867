// `npm run test:faults`: the long walks, every crash and freeze under load, and every mistake that the invariant checker has to notice.
import { run } from './run.ts'
import { runSuites } from './suites.ts'

const env = { FAULTS: 'all' }

const walks = ['e2e/proofs/bad-input.spec.ts', 'e2e/proofs/keys.spec.ts']

await runSuites('Faults', [
  ['Faults under load', () => run('playwright', ['test', 'e2e/faults/'], { cwd: 'e2e', echo: true, env })],
  ['Long walks', () => run('playwright', ['test', ...walks], { cwd: 'e2e', echo: true, env })],
])
