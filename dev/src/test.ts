// `npm test`: the tests of every package on one embedded Postgres, then the journeys in a real browser.
import { ensureBrowser } from './browser.ts'
import { run } from './run.ts'
import { runSuites, type Suite } from './suites.ts'

const suites: Suite[] = [['Packages and services', () => run('vitest', ['run'], { echo: true })]]

const missingBrowser = await ensureBrowser()
if (missingBrowser === null || process.env['CI']) {
  suites.push(['Journeys in the browser', () => run('playwright', ['test'], { cwd: 'e2e', echo: true })])
}
await runSuites('Tests', suites)
if (missingBrowser !== null) {
  process.stdout.write(
    `The journeys did not run: no browser (${missingBrowser}). Install Chromium and run npm test again.\n`,
  )
}
