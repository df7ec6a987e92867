import { execFile } from 'node:child_process'
import { join } from 'node:path'

export type Output = { readonly code: number | null; readonly text: string }

/** Runs a script of this folder's parent as a person would, against the stack in `dataDir`. */
export function runScript(dataDir: string, script: string, ...args: readonly string[]): Promise<Output> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
  const file = join(import.meta.dirname, '..', script)
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode, text: out + err }),
    )
  })
}
