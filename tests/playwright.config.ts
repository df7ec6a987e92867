import { defineConfig } from '@playwright/test'
import { browserOptions } from './support/browser/browser.ts'

const pagesUrl = process.env['PAGES_URL']
// In CI other work can starve a browser, so a page test is retried once and then reported as flaky. Fault and race
// tests are never retried.
const isRetried = pagesUrl !== undefined && process.env['CI'] !== undefined

export default defineConfig({
  testDir: '.',
  // The workers read this file again, with the chosen browser in their environment.
  globalSetup: './support/browser/global-setup.ts',
  testMatch: '**/*.spec.ts',
  // Page tests have their own stack and commands: `npm run test:pages`, `npm run screenshots`.
  testIgnore: pagesUrl === undefined ? ['pages/**', 'reports/**', 'cluster/**'] : [],
  // `npm run nightly` runs every test of a suite; CI leaves out those that take too long for it.
  ...(process.env['NIGHTLY'] === 'true' ? {} : { grepInvert: /@nightly/ }),
  // Stacks on the same Kafka share its topics and consumer groups.
  workers: process.env['KAFKA_BROKERS'] === undefined ? 2 : 1,
  fullyParallel: true,
  retries: isRetried ? 1 : 0,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  forbidOnly: true,
  use: {
    // Without these, a wait that cannot end takes the whole time of its test.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Recording a trace takes about as much CPU as the test.
    trace: isRetried ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: browserOptions(),
  },
})
