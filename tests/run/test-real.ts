// `npm run test:real` runs what depends on the servers on real ones: the conformance suites on Redis, Kafka and an S3
// server, then the journey and the tests of events and purchases on Postgres, Redis and Kafka. Needs Java, Maven,
// redis-server and versitygw.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServers } from '@marketplace/stack/servers/servers.ts'
import { runPlaywright, runSuites, runVitest } from '@marketplace/tools/run/suites.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-real-'))
const servers = await startServers({ dataDir, report: (line) => process.stdout.write(`  ${line}\n`) })
const env = {
  TEST_ADMIN_URL: servers.databaseUrl,
  KAFKA_BROKERS: servers.kafkaBrokers,
  REDIS_URL: servers.redisUrl,
}
const vitest = (config: string) => () => runVitest(['--config', config], env)
try {
  await runSuites('Real servers', [
    ['Trending and limits in Redis', vitest('vitest.redis.config.ts')],
    ['Pictures in S3', vitest('vitest.s3.config.ts')],
    ['The bus on Kafka', vitest('vitest.kafka.config.ts')],
    [
      'The journey and the tests of events and purchases on all of them',
      () => runPlaywright(['journey', 'events', 'purchase'], env),
    ],
    // On separate servers, which these tests damage.
    ['Faults under load, the short form', () => runPlaywright(['--config', 'chaos.config.ts'])],
  ])
} finally {
  await servers.stop()
  await rm(dataDir, { recursive: true, force: true })
}
