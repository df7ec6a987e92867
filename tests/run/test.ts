// `npm test` runs the tests of every package on one embedded Postgres, then the journeys in a browser.
import { run } from '@marketplace/tools/run/run.ts'
import { runSuites } from '@marketplace/tools/run/suites.ts'

await runSuites('Tests', [
  ['Packages and services', () => run('vitest', ['run'], { echo: true })],
  ['Journeys in the browser', () => run('playwright', ['test', 'journeys/', 'system/'], { cwd: 'tests', echo: true })],
])
