// `npm run test:system` runs the tests of the stack, its operation and the tools, most of which start a whole
// marketplace, then the system tests in a browser.
import { runPlaywright, runSuites, runVitest } from '@marketplace/tools/run/suites.ts'

await runSuites('System', [
  ['Stack, operations and tools', () => runVitest(['--exclude', '{packages,services,web}/**'])],
  ['The whole marketplace', () => runPlaywright(['system/'])],
])
