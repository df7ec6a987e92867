// `npm test` runs the tests of every package on one embedded Postgres, then the journeys in a browser.
import { runPlaywright, runSuites, runVitest } from '@marketplace/tools/run/suites.ts'

await runSuites('Tests', [
  ['Packages and services', () => runVitest([])],
  ['Journeys in the browser', () => runPlaywright(['journeys/', 'system/'])],
])
