import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { resolveAdminUrl } from './admin-url.ts'

/**
 * Runs an ops command and exits with the command's exit code. The command uses the server at DATABASE_URL or, if that is
 * not set, the stack in DATA_DIR.
 */
export function runOpsCommand(command: string, args: readonly string[]): void {
  try {
    const file = fileURLToPath(import.meta.resolve('@marketplace/ops/main.ts'))
    const env = { ...process.env, DATABASE_URL: resolveAdminUrl() }
    process.exitCode = spawnSync(process.execPath, [file, command, ...args], { env, stdio: 'inherit' }).status ?? 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
