import { spawn } from 'node:child_process'

export interface Program {
  /** The exit code; null after a signal. */
  readonly exited: Promise<number | null>
  output(): string
  kill(signal: NodeJS.Signals): void
  stop(): Promise<void>
  /** Waits until the URL responds; throws with the program's output when it exits. */
  waitUntilReachable(url: string): Promise<void>
}

/** Starts a program in its own process with these settings; of this environment it gets only PATH. */
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
    waitUntilReachable: async (url) => {
      while (
        !(await fetch(url).then(
          () => true,
          () => false,
        ))
      ) {
        if (hasExited) throw new Error(`${main} exited: ${output}`)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    },
  }
}
