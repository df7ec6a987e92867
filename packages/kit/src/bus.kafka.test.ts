import { openKafkaBus } from './bus-kafka.ts'
import { ensureTopics } from './bus-kafka-client.ts'
import { busConformance } from './bus.conformance.ts'
import type { BusUnderTest } from './bus.conformance-bench.ts'
import { tailConformance } from './bus.conformance-tail.ts'
import { eventConformance } from './events.conformance.ts'
import { quiet } from './events.fixture.ts'

busConformance('Kafka', startUnderTest)
tailConformance('Kafka', startUnderTest)
eventConformance('Kafka', startUnderTest)

async function startUnderTest(): Promise<BusUnderTest> {
  const brokers = process.env['KAFKA_BROKERS']
  if (!brokers) throw new Error('KAFKA_BROKERS is not set: `npm run test:real` starts a broker.')
  return {
    settings: { KAFKA_BROKERS: brokers },
    // Longer than a session.
    stoppedMs: 14_000,
    open: async () => openKafkaBus({ KAFKA_BROKERS: brokers }, quiet),
    makeTopic: (topic) => ensureTopics({ KAFKA_BROKERS: brokers }, [topic]),
    stop: async () => undefined,
  }
}
