// `npm run test:kafka`: the bus conformance suite and the journey against a real Kafka; needs Java and Maven.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKafka } from './kafka.ts'
import { run } from './run.ts'
import { runSuites } from './suites.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-kafka-'))
const kafka = await startKafka({ dataDir })
const env = { KAFKA_BROKERS: kafka.brokers }
try {
  await runSuites('Kafka', [
    [
      'Bus conformance on Kafka',
      () => run('vitest', ['run', '--config', 'vitest.kafka.config.ts'], { echo: true, env }),
    ],
    ['The journey on Kafka', () => run('playwright', ['test', 'journey'], { cwd: 'e2e', echo: true, env })],
  ])
} finally {
  await kafka.stop()
  await rm(dataDir, { recursive: true, force: true })
}
