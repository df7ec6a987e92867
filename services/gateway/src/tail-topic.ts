import type { Bus, BusEvent, Tail } from '@marketplace/kit/events/bus.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

export interface TailOptions {
  bus: Bus
  topic: string
  since: Date
  handler: (event: BusEvent) => void
  log: Log
}

export interface TopicTail {
  /** Returns whether all events that existed when the tail started have been read. */
  hasCaughtUp(): boolean
  stop(): Promise<void>
}

const retryMs = 1000

/** Reads a topic's events from the time `since` until `stop` is called. Retries while the event bus is unavailable. */
export function tailTopic({ bus, topic, since, handler, log }: TailOptions): TopicTail {
  let hasCaughtUp = false
  let isStopped = false
  let tail: Tail | undefined
  let retry: NodeJS.Timeout | undefined

  const openTail = async () => {
    try {
      tail = await bus.tail({ topic, since, handler })
      if (isStopped) return await tail.close()
      await tail.caughtUp
      hasCaughtUp = true
    } catch (error) {
      log.warn({ err: error, topic }, 'tail unavailable; will retry')
      if (!isStopped) retry = setTimeout(() => void openTail(), retryMs)
    }
  }
  void openTail()
  return {
    hasCaughtUp: () => hasCaughtUp,
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await tail?.close()
    },
  }
}
