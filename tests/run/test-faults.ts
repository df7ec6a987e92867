// `npm run test:faults` runs crashes at every fault point, races and injected defects under load, checked by the
// invariants. With NIGHTLY=true also the races of the services in their long form, freezes at every fault point, every
// defect and rolling restarts.
import { run } from '@marketplace/tools/run/run.ts'
import { runSuites, type Suite } from '@marketplace/tools/run/suites.ts'

const isNightly = process.env['NIGHTLY'] === 'true'
const env = { RACE_ROUNDS: isNightly ? '200' : '30' }
const races: Suite = ['Races in the services', () => run('vitest', ['run', 'races'], { echo: true, env })]

await runSuites('Faults', [
  // `npm test` runs them with fewer rounds.
  ...(isNightly ? [races] : []),
  ['Faults under load', () => run('playwright', ['test', 'faults/'], { cwd: 'tests', echo: true, env })],
])
