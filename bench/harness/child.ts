import { fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { youngHeap } from './stack.ts'

// The flags of the stack's services, so that all sides of a comparison have the same heap.
const flags = [youngHeap, '--max-old-space-size=256']
const Listening = z.object({ port: z.number() })

export interface ListeningChild {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Runs a program of the bench in a separate process, which reports its port when it listens. */
export async function startChild(main: URL, args: readonly string[] = []): Promise<ListeningChild> {
  const child = fork(main, args, { execArgv: flags })
  const exited = once(child, 'exit')
  const [first]: unknown[] = await Promise.race([once(child, 'message'), exited])
  const { port } = Listening.parse(first)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await exited
    },
  }
}
