// `npm run screenshots [-- -g name]`: every page and state into screenshots/, at two widths, light and dark.
import { withPagesStack } from './pages-stack.ts'
import { run } from './run.ts'

const args = ['test', 'e2e/screenshots/', ...process.argv.slice(2)]
const { code } = await withPagesStack(({ url }) =>
  run('playwright', args, { cwd: 'e2e', echo: true, env: { PAGES_URL: url, SCREENSHOTS: 'all' } }),
)
process.exitCode = code
