// `npm run test:system [-- <file>…]` runs the tests of the stack, its operation and the tools, most of which start a whole
// marketplace, then the system tests and the journeys on other deployments in a browser.
import { runPlaywright, runSuites, runVitest, type Suite } from '@marketplace/tools/run/suites.ts'

const chosen = process.argv.slice(2)
const isAll = chosen.length === 0
const specs = chosen.filter((file) => file.endsWith('.spec.ts'))
const tests = chosen.filter((file) => !file.endsWith('.spec.ts'))

const stack: Suite = [
  'Stack, operations and tools',
  () => runVitest(['--exclude', '{packages,services,web}/**', ...tests]),
]
const marketplace: Suite = [
  'The whole marketplace',
  () => runPlaywright(isAll ? ['system/', 'journeys/deployments.spec.ts'] : specs),
]

await runSuites('System', [
  ...(isAll || tests.length > 0 ? [stack] : []),
  ...(isAll || specs.length > 0 ? [marketplace] : []),
])
