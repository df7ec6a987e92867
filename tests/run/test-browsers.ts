// `npm run nightly -- browsers` takes the main journey in Firefox and WebKit. Needs the Debian packages firefox-esr,
// webkit2gtk-driver and xvfb, which a machine of CI may lack.
import { withPagesStack } from '@marketplace/stack/launcher/pages-stack.ts'
import { runSuites, type SuiteResult } from '@marketplace/tools/run/suites.ts'
import { startFirefox } from '../browsers/firefox.ts'
import { mainJourney } from '../browsers/journey.ts'
import type { Visitor } from '../browsers/visitor.ts'
import { startWebKit } from '../browsers/webkit.ts'

const browsers = { Firefox: startFirefox, WebKit: startWebKit }
const chosen = process.argv.slice(2)

await withPagesStack(({ url }) =>
  runSuites(
    'Browsers',
    Object.entries(browsers)
      .filter(([name]) => chosen.length === 0 || chosen.includes(name))
      .map(([name, start]) => [name, () => tryJourney(start, url)]),
  ),
)

async function tryJourney(start: (url: string) => Promise<Visitor>, url: string): Promise<SuiteResult> {
  try {
    const visitor = await start(url)
    try {
      await mainJourney(visitor, url)
    } finally {
      await visitor.close()
    }
    process.stdout.write('The main journey passed.\n')
    return { code: 0, passed: 1, failed: 0 }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    return { code: 1, passed: 0, failed: 1 }
  }
}
