// `npm run screenshots [-- -g name]` saves every page state to screenshots/, at two widths, light and dark.
import { withPagesStack } from '@marketplace/stack/launcher/pages-stack.ts'
import { run } from '@marketplace/tools/run/run.ts'

const args = ['test', 'reports/screenshots/', ...process.argv.slice(2)]
const { code } = await withPagesStack(({ url }) =>
  run('playwright', args, { cwd: 'tests', echo: true, env: { PAGES_URL: url, SCREENSHOTS: 'all' } }),
)
process.exitCode = code
