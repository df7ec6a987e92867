import { spawn } from 'node:child_process'

export type Program = {
  /** The exit code, null after a signal. */
  readonly exited: Promise<number | null>
  output(): string
  kill(signal: NodeJS.Signals): void
  stop(): Promise<void>
  /** Waits until the address answers anything, or fails with what the program said. */
  answers(url: string): Promise<void>
}

/** A program of ours as its own process, with these settings and nothing else of this environment but PATH. */
export function startProgram(main: string, settings: Record<string, string>): Program {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let hasExited = false
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  void exited.then(() => (hasExited = true))
  return {
    exited,
    output: () => output,
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
    answers: async (url) => {
      while (
        !(await fetch(url).then(
          () => true,
          () => false,
        ))
      ) {
        if (hasExited) throw new Error(`${main} ended: ${output}`)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    },
  }
}
