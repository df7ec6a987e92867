import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.ts'
import { settingsOfRunning } from './stack/running.ts'
import { mainOf, type SchemaName } from './wiring.ts'

/** Runs a service's own command with the settings of the stack in DATA_DIR (its Postgres at DATABASE_URL, if another), and ends as it did. */
export function runCommand(service: SchemaName, command: string, args: readonly string[]): void {
  try {
    process.exitCode = run(service, command, args)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

function run(service: SchemaName, command: string, args: readonly string[]): number {
  const file = join(dirname(mainOf(service)), `${command}.command.ts`)
  if (!existsSync(file)) throw new StartError(`${service} has no command ${command}.`)
  const { DATA_DIR: dataDir = '.data', DATABASE_URL: databaseUrl } = process.env
  const env = { ...process.env, LOG_LEVEL: 'warn', ...settingsOfRunning(dataDir, service, databaseUrl) }
  return spawnSync(process.execPath, [file, ...args], { env, stdio: 'inherit' }).status ?? 1
}
