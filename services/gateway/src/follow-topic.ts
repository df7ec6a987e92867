import type { Bus, BusEvent, Tail } from '@marketplace/kit/bus.ts'
import type { Log } from '@marketplace/kit/log.ts'

export interface FollowOptions {
  bus: Bus
  topic: string
  since: Date
  handler: (event: BusEvent) => void
  log: Log
}

export interface Following {
  /** Whether everything that there was at the start was read. */
  hasCaughtUp(): boolean
  stop(): Promise<void>
}

const retryMs = 1000

/** Tails a topic for as long as the process runs; a bus that is away is tried again. */
export function followTopic({ bus, topic, since, handler, log }: FollowOptions): Following {
  let hasCaughtUp = false
  let isStopped = false
  let tail: Tail | undefined
  let retry: NodeJS.Timeout | undefined

  const follow = async () => {
    try {
      tail = await bus.tail({ topic, since, handler })
      if (isStopped) return await tail.close()
      await tail.caughtUp
      hasCaughtUp = true
    } catch (error) {
      log.warn({ err: error, topic }, 'events cannot be followed yet')
      if (!isStopped) retry = setTimeout(() => void follow(), retryMs)
    }
  }
  void follow()
  return {
    hasCaughtUp: () => hasCaughtUp,
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await tail?.close()
    },
  }
}
