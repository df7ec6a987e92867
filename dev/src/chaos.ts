// `npm run chaos`: everything that may happen to a marketplace on real servers, while people are at it; `-- -g <words>` for
// some of it, CHAOS_SEED=<number> for the same moments again. Needs Java, Maven and redis-server, and takes about an hour.
import { run } from './run.ts'
import { runSuites } from './suites.ts'

const env = { CHAOS: 'all', FAULTS: 'all' }
const chosen = process.argv.slice(2)

await runSuites('Chaos', [
  [
    'Who takes which features along',
    () => run('playwright', ['test', 'proofs/outages', ...chosen], { cwd: 'e2e', echo: true, env }),
  ],
  [
    'Faults of processes, servers, events and providers under load',
    () => run('playwright', ['test', '--config', 'chaos.config.ts', ...chosen], { cwd: 'e2e', echo: true, env }),
  ],
])
