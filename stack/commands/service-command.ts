import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../launcher/start-error.ts'
import { settingsOfRunning } from '../launcher/running.ts'
import { mainOf } from '../launcher/topology.ts'
import { type SchemaName } from '@marketplace/contracts/services.ts'

/**
 * Runs a command of a service with the settings of the stack in DATA_DIR, and exits with the command's exit code. If
 * DATABASE_URL is set, the command uses that server instead of the stack's own Postgres.
 */
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
