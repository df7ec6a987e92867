// `npm run lighthouse [-- home search listing create]` audits the pages as on a phone, on a stack with demo data.
import { withPagesStack } from '@marketplace/stack/launcher/pages-stack.ts'
import { run } from '@marketplace/tools/run/run.ts'

const args = ['reports/lighthouse/main.ts', ...process.argv.slice(2)]
const { code } = await withPagesStack(({ url }) =>
  run('node', args, { cwd: 'tests', echo: true, env: { PAGES_URL: url } }),
)
process.exitCode = code
