// `npm run lighthouse [-- home listing create]`: the pages as a phone gets them, measured on a stack with demo data.
import { withPagesStack } from './pages-stack.ts'
import { run } from './run.ts'

const args = ['lighthouse/main.ts', ...process.argv.slice(2)]
const { code } = await withPagesStack(({ url }) =>
  run('node', args, { cwd: 'e2e', echo: true, env: { PAGES_URL: url } }),
)
process.exitCode = code
