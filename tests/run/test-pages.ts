// `npm run test:pages` tests every page and state of the specification in a browser against one running stack.
import { withPagesStack } from '@marketplace/stack/launcher/pages-stack.ts'
import { runPlaywright, runSuites } from '@marketplace/tools/run/suites.ts'

const chosen = process.argv.slice(2)
const files = chosen.length > 0 ? chosen : ['pages/']

const tested = () =>
  withPagesStack(({ url, adminUrl }) => runPlaywright(files, { PAGES_URL: url, PAGES_DATABASE_URL: adminUrl }))

await runSuites('Pages', [['Every page', tested]])
