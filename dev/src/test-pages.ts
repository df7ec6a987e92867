// `npm run test:pages`: every page and state of the specification, in a real browser against the running stack.
import { run } from './run.ts'
import { runSuites } from './suites.ts'

const env = { PAGES: 'all' }

await runSuites('Pages', [['Every page', () => run('playwright', ['test', 'pages'], { cwd: 'e2e', echo: true, env })]])
