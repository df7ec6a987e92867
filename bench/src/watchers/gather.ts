import { fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'

const Message = z.union([z.object({ connected: z.number() }), z.object({ id: z.number(), at: z.number() })])

export interface Crowd {
  /** Waits until every watcher has got the event of this number; answers when the last one did, µs. */
  lastGot(id: number): Promise<number>
  leave(): Promise<void>
}

/** So many watchers of one stream, in one process; resolves once all are connected. */
export async function gather(url: string, path: string, count: number): Promise<Crowd> {
  const { port } = new URL(url)
  const child = fork(new URL('crowd.ts', import.meta.url), [port, path, String(count)], { execArgv: [] })
  const times = new Map<number, number>()
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      const told = Message.parse(message)
      if ('connected' in told) resolve()
      else times.set(told.id, told.at)
    })
    child.once('exit', () => reject(new Error('The watchers ended.')))
  })
  return {
    async lastGot(id) {
      while (!times.has(id)) await once(child, 'message')
      return times.get(id) ?? Number.NaN
    },
    async leave() {
      child.kill()
      await exited
    },
  }
}
