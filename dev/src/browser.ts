import { existsSync } from 'node:fs'
import { run } from './run.ts'

// The first has no windows of its own to draw: a page opens in a quarter of the time.
const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The system's Chromium, when there is one. */
export function systemBrowser(): string | undefined {
  return installed.find((path) => existsSync(path))
}

/** Makes sure that Playwright has a browser; answers why not, when it cannot. */
export async function ensureBrowser(): Promise<string | null> {
  if (systemBrowser()) return null
  const { code, output } = await run('playwright', ['install', 'chromium'])
  return code === 0 ? null : (output.trim().split('\n').at(-1) ?? 'unknown')
}
