import { execFile } from 'node:child_process'
import { join } from 'node:path'

export interface Output {
  readonly code: number | null
  readonly text: string
}

/** Runs a command of `stack/commands` against the stack in `dataDir`, like an operator. */
export function runScript(dataDir: string, script: string, ...args: readonly string[]): Promise<Output> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
  const file = join(import.meta.dirname, '../../stack/commands', script)
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode, text: out + err }),
    )
  })
}
