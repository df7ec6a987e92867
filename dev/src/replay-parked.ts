// `npm run replay-parked -- <service> [consumer [id]]`: that service's own command with the settings of the stack in DATA_DIR.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.ts'
import { settingsOfRunning } from './stack/running.ts'
import { mainOf, SCHEMAS } from './wiring.ts'

function replay([given, ...rest]: readonly string[]): number {
  const service = SCHEMAS.find((name) => name === given)
  if (!service) throw new StartError(`Name a service: npm run replay-parked -- ${SCHEMAS.join('|')} [consumer [id]].`)
  const command = join(dirname(mainOf(service)), 'replay-parked.command.ts')
  const settings = settingsOfRunning(process.env['DATA_DIR'] ?? '.data', service)
  const env = { ...process.env, LOG_LEVEL: 'warn', ...settings }
  return spawnSync(process.execPath, [command, ...rest], { env, stdio: 'inherit' }).status ?? 1
}

try {
  process.exitCode = replay(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
