import { fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'

const Message = z.union([z.object({ connected: z.number() }), z.object({ id: z.number(), at: z.number() })])

export interface WatcherProcess {
  /** Waits until every subscriber has received the event of this id. Returns the time of the last one, µs. */
  lastReceivedAt(id: number): Promise<number>
  close(): Promise<void>
}

/** Opens subscribers of one stream in a separate process; resolves once all are connected. */
export async function connectWatchers(url: string, path: string, count: number): Promise<WatcherProcess> {
  const { port } = new URL(url)
  const child = fork(new URL('./subscribers.ts', import.meta.url), [port, path, String(count)], { execArgv: [] })
  const times = new Map<number, number>()
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      const parsed = Message.parse(message)
      if ('connected' in parsed) resolve()
      else times.set(parsed.id, parsed.at)
    })
    child.once('exit', () => reject(new Error('The subscriber process exited.')))
  })
  return {
    async lastReceivedAt(id) {
      while (!times.has(id)) await once(child, 'message')
      return times.get(id) ?? Number.NaN
    },
    async close() {
      child.kill()
      await exited
    },
  }
}
