import { topics } from '@marketplace/contracts/topics.ts'
import { openBus, type Bus, type BusEvent } from '@marketplace/kit/bus.ts'
import { openLog } from '@marketplace/kit/log.ts'
import type { ChaosStack } from './chaos-stack.ts'

/** Works on the stack's broker as one more client of it. */
export async function withBus<Result>({ servers }: ChaosStack, work: (bus: Bus) => Promise<Result>): Promise<Result> {
  const brokers = `127.0.0.1:${servers.wires.kafka.port}`
  const bus = await openBus({ KAFKA_BROKERS: brokers }, openLog('chaos', 'silent'))
  try {
    return await work(bus)
  } finally {
    await bus.close()
  }
}

/** Everything that the topics hold, in their order. */
export async function readTopics(bus: Bus): Promise<BusEvent[]> {
  const events: BusEvent[] = []
  for (const topic of Object.values(topics)) {
    const tail = await bus.tail({ topic, since: new Date(0), handler: (event) => void events.push(event) })
    await tail.caughtUp
    await tail.close()
  }
  return events
}
