// `npm run test:pages`: every page and state of the specification, in a real browser against one running stack.
import { withPagesStack } from './pages-stack.ts'
import { run } from './run.ts'
import { runSuites } from './suites.ts'

const chosen = process.argv.slice(2)
const files = chosen.length > 0 ? chosen : ['e2e/pages/']

const tested = () =>
  withPagesStack(({ url }) =>
    run('playwright', ['test', ...files], { cwd: 'e2e', echo: true, env: { PAGES_URL: url } }),
  )

await runSuites('Pages', [['Every page', tested]])
