import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKafka, type RunningKafka } from '@marketplace/dev/kafka.ts'
import { freePort } from '@marketplace/dev/ports.ts'
import { startRedis, type RunningRedis } from '@marketplace/dev/redis.ts'
import { runDatabase, type Database } from '@marketplace/dev/stack/database.ts'
import type { ProgramName } from '@marketplace/dev/wiring.ts'
import { startChatEndpoint, type ChatEndpoint } from '../src/chat-endpoint.ts'
import { cardSwitches } from '../faults/card-switches.ts'
import { shortTimes } from '../faults/faults.ts'
import { startTestStack, test as base, withoutPages, type TestStack } from '../src/stack.ts'
import { Wire } from './wire.ts'

/** What gateways call, each through a wire of its own. */
export const behind = ['catalog', 'auction', 'payments', 'messaging', 'search', 'users'] as const
export type Behind = (typeof behind)[number]

/** The servers that the marketplace needs, to be ill-treated. */
export interface Servers {
  postgres: Database
  redis: RunningRedis
  kafka: RunningKafka
  chat: ChatEndpoint
  wires: Readonly<Record<'postgres' | 'redis' | 'kafka', Wire>>
  restartKafka(): Promise<void>
  restartRedis(): Promise<void>
  stop(): Promise<void>
}

export interface ChaosStack extends TestStack {
  servers: Servers
  gatewayWires: Readonly<Record<Behind, Wire>>
}

/** Real servers as durable as elsewhere, and two processes of every service behind two gateways. */
export async function startChaosStack(): Promise<ChaosStack> {
  const servers = await startServers()
  const twice = Object.fromEntries([...behind, 'gateway' as const].map((name) => [name, 2]))
  const patient = { LIMIT_SIGN_INS_PER_MINUTE: '6000', LIMIT_READS_PER_SECOND: '1000', LIMIT_WRITE_BURST: '1000' }
  const messaging = { OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: servers.chat.url, CHAT_MS: '2000' }
  const stack = await startTestStack({
    databaseUrl: servers.wires.postgres.before(servers.postgres.adminUrl),
    kafkaBrokers: `127.0.0.1:${servers.wires.kafka.port}`,
    redisUrl: `redis://127.0.0.1:${servers.wires.redis.port}`,
    replicas: twice,
    // Last, when the ports behind its wires are known.
    only: withoutPages.filter((name) => name !== 'gateway'),
    env: { payments: shortTimes, cards: cardSwitches, gateway: patient, messaging },
  })
  const gatewayWires = await wiresTo(stack)
  await stack.services.gateway.start(
    Object.fromEntries(
      behind.map((name) => [`${name.toUpperCase()}_URL`, gatewayWires[name].before('http://x/').slice(0, -1)]),
    ),
  )
  const stop = async () => {
    await stack.stop()
    await Promise.all(behind.map((name) => gatewayWires[name].stop()))
    await servers.stop()
  }
  return { ...stack, servers, gatewayWires, stop }
}

async function startServers(): Promise<Servers> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-chaos-'))
  const kafkaPort = await freePort()
  const toKafka = await Wire.to(kafkaPort)
  const kafkaOptions = { dataDir: join(dataDir, 'kafka'), port: kafkaPort, advertisedPort: toKafka.port }
  const postgresPort = await freePort()
  const [postgres, redis, kafka, chat] = await Promise.all([
    runDatabase({ dataDir: join(dataDir, 'postgres'), port: postgresPort, durable: true, report: () => {} }),
    startRedis(),
    startKafka(kafkaOptions),
    startChatEndpoint(),
  ])
  const wires = {
    kafka: toKafka,
    postgres: await Wire.to(Number(new URL(postgres.adminUrl).port)),
    redis: await Wire.to(Number(new URL(redis.url).port)),
  }
  const servers: Servers = {
    postgres,
    redis,
    kafka,
    chat,
    wires,
    async restartKafka() {
      servers.kafka = await startKafka(kafkaOptions)
    },
    async restartRedis() {
      servers.redis = await startRedis(Number(new URL(redis.url).port))
    },
    async stop() {
      await Promise.all(Object.values(wires).map((wire) => wire.stop()))
      await Promise.all([servers.kafka.stop(), servers.redis.stop(), postgres.stop(), chat.stop()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return servers
}

async function wiresTo({ services }: TestStack): Promise<Record<Behind, Wire>> {
  const to = (name: ProgramName) => Wire.to(Number(new URL(services[name].url).port))
  return {
    catalog: await to('catalog'),
    auction: await to('auction'),
    payments: await to('payments'),
    messaging: await to('messaging'),
    search: await to('search'),
    users: await to('users'),
  }
}

/** All faults hit one stack, one after the other. */
export const test = base.extend<object, { chaos: ChaosStack }>({
  chaos: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its parameter
    async ({}, use) => {
      const stack = await startChaosStack()
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})
