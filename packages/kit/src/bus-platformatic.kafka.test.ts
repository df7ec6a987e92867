import { openPlatformaticBus } from './bus-platformatic.ts'
import { ensureTopics } from './bus-kafka-client.ts'
import { busConformance } from './bus.conformance.ts'
import type { BusUnderTest } from './bus.conformance-bench.ts'
import { tailConformance } from './bus.conformance-tail.ts'
import { eventConformance } from './events.conformance.ts'
import { quiet } from './events.fixture.ts'

busConformance('the other client of Kafka', startUnderTest)
tailConformance('the other client of Kafka', startUnderTest)
eventConformance('the other client of Kafka', startUnderTest)

async function startUnderTest(): Promise<BusUnderTest> {
  const brokers = process.env['KAFKA_BROKERS']
  if (!brokers) throw new Error('KAFKA_BROKERS is not set: `npm run test:real` starts a broker.')
  return {
    settings: { KAFKA_BROKERS: brokers, KAFKA_CLIENT: 'platformatic' },
    // Longer than a session.
    stoppedMs: 14_000,
    open: async () => openPlatformaticBus(brokers.split(','), quiet),
    makeTopic: (topic) => ensureTopics(brokers.split(','), [topic], quiet),
    stop: async () => undefined,
  }
}
