import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKafka, type RunningKafka } from '@marketplace/stack/servers/kafka/kafka.ts'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { startRedis, type RunningRedis } from '@marketplace/stack/servers/redis.ts'
import { runDatabase, type Database } from '@marketplace/stack/launcher/database.ts'
import type { ProgramName } from '@marketplace/stack/launcher/topology.ts'
import { startChatEndpoint, type ChatEndpoint } from '../support/processes/chat-endpoint.ts'
import { cardFaultSettings } from '../faults/load/card-faults.ts'
import { shortTimes } from '../faults/load/faults.ts'
import { startTestStack, test as base, withoutPages, type TestStack } from '../support/processes/stack.ts'
import { TcpProxy } from '@marketplace/testing/tcp-proxy.ts'

/** The services behind the gateways, each behind a TCP proxy. */
export const upstreams = ['catalog', 'auction', 'payments', 'messaging', 'search', 'users'] as const
export type Upstream = (typeof upstreams)[number]

/** The servers of the stack, which the faults affect. */
export interface Servers {
  postgres: Database
  redis: RunningRedis
  kafka: RunningKafka
  chat: ChatEndpoint
  proxies: Readonly<Record<'postgres' | 'redis' | 'kafka', TcpProxy>>
  restartKafka(): Promise<void>
  restartRedis(): Promise<void>
  stop(): Promise<void>
}

export interface ChaosStack extends TestStack {
  servers: Servers
  gatewayProxies: Readonly<Record<Upstream, TcpProxy>>
}

/** Starts a stack on durable servers, with two processes of every service and two gateways. */
export async function startChaosStack(): Promise<ChaosStack> {
  const servers = await startServers()
  const replicas = Object.fromEntries([...upstreams, 'gateway' as const].map((name) => [name, 2]))
  const gatewayLimits = {
    LIMIT_SIGN_INS_PER_MINUTE: '6000',
    LIMIT_READS_PER_SECOND: '1000',
    LIMIT_WRITE_BURST: '1000',
    LIMIT_ADDRESS_WRITE_BURST: '10000',
  }
  const messaging = { OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: servers.chat.url, CHAT_TIMEOUT_MS: '2000' }
  const stack = await startTestStack({
    databaseUrl: servers.proxies.postgres.through(servers.postgres.adminUrl),
    kafkaBrokers: `127.0.0.1:${servers.proxies.kafka.port}`,
    redisUrl: `redis://127.0.0.1:${servers.proxies.redis.port}`,
    replicas,
    // Started last, when the ports of the TCP proxies are known.
    only: withoutPages.filter((name) => name !== 'gateway'),
    env: { payments: shortTimes, cards: cardFaultSettings, gateway: gatewayLimits, messaging },
  })
  const gatewayProxies = await proxiesTo(stack)
  await stack.services.gateway.start(
    Object.fromEntries(
      upstreams.map((name) => [`${name.toUpperCase()}_URL`, gatewayProxies[name].through('http://x/').slice(0, -1)]),
    ),
  )
  const stop = async () => {
    await stack.stop()
    await Promise.all(upstreams.map((name) => gatewayProxies[name].stop()))
    await servers.stop()
  }
  return { ...stack, servers, gatewayProxies, stop }
}

async function startServers(): Promise<Servers> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-chaos-'))
  const kafkaPort = await freePort()
  const kafkaProxy = await TcpProxy.open(kafkaPort)
  const kafkaOptions = { dataDir: join(dataDir, 'kafka'), port: kafkaPort, advertisedPort: kafkaProxy.port }
  const postgresPort = await freePort()
  const [postgres, redis, kafka, chat] = await Promise.all([
    runDatabase({ dataDir: join(dataDir, 'postgres'), port: postgresPort, durable: true, report: () => {} }),
    startRedis(),
    startKafka(kafkaOptions),
    startChatEndpoint(),
  ])
  const proxies = {
    kafka: kafkaProxy,
    postgres: await TcpProxy.open(Number(new URL(postgres.adminUrl).port)),
    redis: await TcpProxy.open(Number(new URL(redis.url).port)),
  }
  const servers: Servers = {
    postgres,
    redis,
    kafka,
    chat,
    proxies,
    async restartKafka() {
      servers.kafka = await startKafka(kafkaOptions)
    },
    async restartRedis() {
      servers.redis = await startRedis(Number(new URL(redis.url).port))
    },
    async stop() {
      await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()))
      await Promise.all([servers.kafka.stop(), servers.redis.stop(), postgres.stop(), chat.stop()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return servers
}

async function proxiesTo({ services }: TestStack): Promise<Record<Upstream, TcpProxy>> {
  const to = (name: ProgramName) => TcpProxy.open(Number(new URL(services[name].url).port))
  return {
    catalog: await to('catalog'),
    auction: await to('auction'),
    payments: await to('payments'),
    messaging: await to('messaging'),
    search: await to('search'),
    users: await to('users'),
  }
}

/** All faults run on one stack, one after the other. */
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
