import { openKafkaBus } from './bus-kafka.ts'
import { ensureTopics } from './bus-kafka-topics.ts'
import { busConformance } from './bus.conformance.ts'
import type { BusUnderTest } from './bus.conformance-bench.ts'
import { tailConformance } from './bus.conformance-tail.ts'
import { busSettings, readSettings } from './config.ts'
import { eventConformance } from './events.conformance.ts'
import { quiet } from './events.fixture.ts'

for (const client of ['platformatic', 'kafkajs'] satisfies Client[]) {
  const start = () => startUnderTest(client)
  busConformance(`Kafka by ${client}`, start)
  tailConformance(`Kafka by ${client}`, start)
  eventConformance(`Kafka by ${client}`, start)
}

type Client = 'platformatic' | 'kafkajs'

async function startUnderTest(KAFKA_CLIENT: Client): Promise<BusUnderTest> {
  const { KAFKA_BROKERS, ...access } = readSettings(busSettings, process.env)
  if (!KAFKA_BROKERS) throw new Error('KAFKA_BROKERS is not set: `npm run test:real` starts a broker.')
  const settings = { ...access, KAFKA_BROKERS, KAFKA_CLIENT }
  return {
    settings,
    // Longer than a session.
    stoppedMs: 14_000,
    open: () => openKafkaBus(settings, quiet),
    makeTopic: (topic) => ensureTopics(settings, [topic]),
    stop: async () => undefined,
  }
}
