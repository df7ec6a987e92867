// `npm run test:real`: what depends on the servers behind, on real ones: the conformance suites on Redis and on Kafka, then
// the journey and the proofs of events and money on all three; needs Java, Maven and redis-server.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServers } from './servers.ts'
import { run } from './run.ts'
import { runSuites } from './suites.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-real-'))
const servers = await startServers({ dataDir, report: (line) => process.stdout.write(`  ${line}\n`) })
const env = {
  TEST_ADMIN_URL: servers.databaseUrl,
  KAFKA_BROKERS: servers.kafkaBrokers,
  REDIS_URL: servers.redisUrl,
}
const vitest = (config: string) => () => run('vitest', ['run', '--config', config], { echo: true, env })
try {
  await runSuites('Real servers', [
    ['Trending and limits in Redis', vitest('vitest.redis.config.ts')],
    ['The bus on Kafka', vitest('vitest.kafka.config.ts')],
    [
      'The journey and the proofs of events and money on all of them',
      () => run('playwright', ['test', 'journey', 'events', 'purchase'], { cwd: 'e2e', echo: true, env }),
    ],
    // On servers of their own, which they break.
    [
      'Faults under load, the short form',
      () => run('playwright', ['test', '--config', 'chaos.config.ts'], { cwd: 'e2e', echo: true }),
    ],
  ])
} finally {
  await servers.stop()
  await rm(dataDir, { recursive: true, force: true })
}
