// `npm run test:faults` runs crashes at every fault point, races and injected defects under load, checked by the
// invariants. With NIGHTLY=true also the races of the services in their long form, freezes at every fault point, every
// defect and rolling restarts.
import { runPlaywright, runSuites, runVitest, type Suite } from '@marketplace/tools/run/suites.ts'

const isNightly = process.env['NIGHTLY'] === 'true'
const env = { RACE_ROUNDS: isNightly ? '200' : '30' }
const races: Suite = ['Races in the services', () => runVitest(['races'], env)]

await runSuites('Faults', [
  // `npm test` runs them with fewer rounds.
  ...(isNightly ? [races] : []),
  ['Faults under load', () => runPlaywright(['faults/'], env)],
])
