import { topics } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus, BusEvent } from '@marketplace/kit/events/bus.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import type { ChaosStack } from './chaos-stack.ts'

/** Runs `work` with one more client of the stack's broker. */
export async function withBus<Result>({ servers }: ChaosStack, work: (bus: Bus) => Promise<Result>): Promise<Result> {
  const brokers = `127.0.0.1:${servers.proxies.kafka.port}`
  const bus = await openBus({ KAFKA_BROKERS: brokers }, openLog('chaos', 'silent'))
  try {
    return await work(bus)
  } finally {
    await bus.close()
  }
}

/** Reads every event of all topics in order. */
export async function readTopics(bus: Bus): Promise<BusEvent[]> {
  const events: BusEvent[] = []
  for (const topic of Object.values(topics)) {
    const tail = await bus.tail({ topic, since: new Date(0), handler: (event) => void events.push(event) })
    await tail.caughtUp
    await tail.close()
  }
  return events
}
