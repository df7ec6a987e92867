import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { resolveAdminUrl } from './admin-url.ts'

/** Runs a command of ops on the server at DATABASE_URL, else on the stack in DATA_DIR, and exits with its code. */
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
