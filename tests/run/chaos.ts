// `npm run chaos` injects faults into a marketplace on real servers under load; `-- -g <words>` selects some,
// CHAOS_SEED=<number> repeats the same moments. Needs Java, Maven and redis-server, and takes about an hour.
import { runPlaywright, runSuites } from '@marketplace/tools/run/suites.ts'

const env = { NIGHTLY: 'true' }
const chosen = process.argv.slice(2)

await runSuites('Chaos', [
  ['Outages by feature', () => runPlaywright(['system/outages', ...chosen], env)],
  [
    'Faults of processes, servers, events and providers under load',
    () => runPlaywright(['--config', 'chaos.config.ts', ...chosen], env),
  ],
])
