// `npm run chaos` injects faults into a marketplace on real servers under load; `-- -g <words>` selects some,
// CHAOS_SEED=<number> repeats the same moments. Needs Java, Maven and redis-server, and takes about an hour.
import { runPlaywright, runSuites, type Suite } from '@marketplace/tools/run/suites.ts'

const env = { NIGHTLY: 'true' }
const chosen = process.argv.slice(2)
// The selected tests may be in one of the suites only.
const mayBeEmpty = chosen.length > 0
const args = mayBeEmpty ? ['--pass-with-no-tests', ...chosen] : []

const suites: Suite[] = [
  ['Outages by feature', () => runPlaywright(['system/outages', ...args], env)],
  [
    'Faults of processes, servers, events and providers under load',
    () => runPlaywright(['--config', 'chaos.config.ts', ...args], env),
  ],
]
await runSuites('Chaos', suites, { mayBeEmpty })
