// `npm run chaos` injects faults into a marketplace on real servers under load; `-- -g <words>` selects some,
// CHAOS_SEED=<number> repeats the same moments. Needs Java, Maven and redis-server, and takes about an hour.
import { run } from '@marketplace/tools/run/run.ts'
import { runSuites } from '@marketplace/tools/run/suites.ts'

const env = { NIGHTLY: 'true' }
const chosen = process.argv.slice(2)

await runSuites('Chaos', [
  [
    'Outages by feature',
    () => run('playwright', ['test', 'system/outages', ...chosen], { cwd: 'tests', echo: true, env }),
  ],
  [
    'Faults of processes, servers, events and providers under load',
    () => run('playwright', ['test', '--config', 'chaos.config.ts', ...chosen], { cwd: 'tests', echo: true, env }),
  ],
])
