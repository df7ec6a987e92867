import { defineConfig } from '@playwright/test'
import { systemBrowser } from '@marketplace/dev/browser.ts'

const executablePath = systemBrowser()
// Chromium's sandbox needs a user of its own; containers and CI run as root.
const isRoot = process.getuid?.() === 0
const pagesUrl = process.env['PAGES_URL']

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  // What walks through every page has a stack and a command of its own: `npm run test:pages`, `npm run screenshots`.
  testIgnore: pagesUrl === undefined ? ['pages/**', 'screenshots/**', 'cluster/**'] : [],
  // The long fault tests run by themselves: `npm run test:faults`.
  ...(process.env['FAULTS'] === 'all' ? {} : { grepInvert: /@long/ }),
  workers: pagesUrl === undefined ? 1 : 2,
  fullyParallel: pagesUrl !== undefined,
  // Where other work may starve a browser, a page's test is tried once more, and then called flaky. Faults and races never are.
  retries: pagesUrl !== undefined && process.env['CI'] ? 1 : 0,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  forbidOnly: true,
  use: {
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
