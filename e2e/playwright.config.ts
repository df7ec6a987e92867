import { defineConfig } from '@playwright/test'
import { systemBrowser } from '@marketplace/dev/browser.ts'

const executablePath = systemBrowser()
// Chromium's sandbox needs a user of its own; containers and CI run as root.
const isRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  // The walks through every page run by themselves: `npm run test:pages`.
  testIgnore: process.env['PAGES'] === 'all' ? [] : ['pages/**'],
  // The long fault tests run by themselves: `npm run test:faults`.
  ...(process.env['FAULTS'] === 'all' ? {} : { grepInvert: /@long/ }),
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
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
