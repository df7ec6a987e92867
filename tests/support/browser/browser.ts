import { chromium, type LaunchOptions } from '@playwright/test'
import { bundledChromium } from './bundled-chromium.ts'

export interface BrowserCandidate {
  readonly name: string
  readonly prepare: () => LaunchOptions | Promise<LaunchOptions>
}

// The headless shell comes first: it has no windows to draw, so a page opens in a quarter of the time.
const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Browsers that the tests try in this order. None of them is downloaded by the tests. */
export const browserCandidates: readonly BrowserCandidate[] = [
  ...installed.map((path) => ({ name: path, prepare: () => ({ executablePath: path }) })),
  // Playwright finds an installed Chrome on macOS and Windows too.
  { name: 'Google Chrome', prepare: () => ({ channel: 'chrome' }) },
  { name: "Playwright's Chromium", prepare: () => ({}) },
  { name: '@sparticuz/chromium', prepare: bundledChromium },
]

/**
 * Returns the launch options of the first candidate that opens a page. Throws an error with the reason of each when
 * none does.
 */
export async function findBrowser(
  candidates: readonly BrowserCandidate[],
  open: (options: LaunchOptions) => Promise<void> = openPage,
): Promise<{ name: string; options: LaunchOptions }> {
  const failures: string[] = []
  for (const { name, prepare } of candidates) {
    try {
      const options = await prepare()
      await open(options)
      return { name, options }
    } catch (error) {
      failures.push(`  ${name}: ${reasonOf(error)}`)
    }
  }
  throw new Error(`No browser starts on this machine. Install Chromium or Chrome.\n${failures.join('\n')}`)
}

/** Launches a browser and opens a page with text. Throws an error when one of them fails. */
export async function openPage(options: LaunchOptions): Promise<void> {
  const browser = await chromium.launch(withEnvironment(options))
  try {
    const page = await browser.newPage()
    await page.setContent('<span>text</span>')
    const box = await page.locator('span').boundingBox()
    // Chromium starts without any font, and then text has no size.
    if (!box?.width) throw new Error('the browser finds no font')
  } finally {
    await browser.close()
  }
}

const variable = 'E2E_BROWSER'

/**
 * Chooses a browser for this process and its child processes, so that Playwright's workers neither search nor unpack.
 */
export async function chooseBrowser(): Promise<void> {
  const { name, options } = await findBrowser(browserCandidates)
  process.stdout.write(`Browser: ${name}\n`)
  process.env[variable] = JSON.stringify(options)
}

/** Returns the launch options of the chosen browser. */
export function browserOptions(): LaunchOptions {
  return withEnvironment(JSON.parse(process.env[variable] ?? '{}') as LaunchOptions)
}

// A browser gets either its own environment or that of this process.
function withEnvironment({ env, ...options }: LaunchOptions): LaunchOptions {
  // Playwright adds the other arguments that containers and tests need, such as --no-sandbox and
  // --disable-dev-shm-usage.
  return { ...options, args: ['--disable-gpu'], ...(env ? { env: { ...process.env, ...env } } : {}) }
}

function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n')
  // Playwright appends the browser's output: `[pid=7][err] chromium: error while loading shared libraries: …`.
  const written = lines.find((line) => line.includes('[err]'))
  const parts = [lines[0]?.replace('browserType.launch: ', ''), written?.replace(/^.*\[err\]/, '').trim()]
  return parts.filter(Boolean).join(': ')
}
