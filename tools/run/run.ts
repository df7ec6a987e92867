import { spawn } from 'node:child_process'
import { delimiter, join, resolve } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export interface Finished {
  code: number
  output: string
}

/**
 * Runs a command of node_modules/.bin, or any other, in a folder of the repository by default; `echo` also prints its
 * output.
 */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; echo?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<Finished> {
  const bin = join(root, 'node_modules/.bin')
  const env = { ...process.env, ...options.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }
  const child = spawn(command, args, { cwd: resolve(root, options.cwd ?? '.'), env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
    if (options.echo) process.stdout.write(chunk)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((done) => {
    child.once('error', (error) => done({ code: 127, output: error.message }))
    child.once('close', (code) => done({ code: code ?? 1, output }))
  })
}
