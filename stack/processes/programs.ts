import { join } from 'node:path'
import { mainOf, programNames, settingsOf, type Topology, type ProgramName } from '../launcher/topology.ts'
import type { Boot, StackOptions } from '../launcher/options.ts'
import { Program } from './program.ts'

export type Programs = Readonly<Record<ProgramName, Program>>

/** Local stand-ins for external providers. Stopped last, because the services call them. */
export const localProviders: readonly ProgramName[] = ['identity', 'cards']
export const otherPrograms: readonly ProgramName[] = programNames.filter((name) => !localProviders.includes(name))

/** Returns the programs that this stack starts: a provider that is set in the options is external. */
export function programsToStart({ only = programNames, oidc, stripe }: StackOptions): ProgramName[] {
  return only.filter((name) => !(name === 'identity' && oidc) && !(name === 'cards' && stripe))
}

/** Creates every program of the stack without starting it. */
export function createPrograms(context: Boot, databaseUrl: Topology['databaseUrl']): Programs {
  const topology = topologyOf(context, databaseUrl)
  const create = (name: ProgramName) => createOne(context, topology, name)
  return {
    users: create('users'),
    catalog: create('catalog'),
    'catalog-pictures': create('catalog-pictures'),
    auction: create('auction'),
    payments: create('payments'),
    messaging: create('messaging'),
    search: create('search'),
    gateway: create('gateway'),
    web: create('web'),
    identity: create('identity'),
    cards: create('cards'),
  }
}

type TopologyInput = Pick<Boot, 'options' | 'ports' | 'origin'> & { dataDir: Pick<Boot['dataDir'], 'path' | 'secrets'> }

/** Returns the addresses and secrets of a stack. */
export function topologyOf(
  { options, dataDir, ports, origin }: TopologyInput,
  databaseUrl: Topology['databaseUrl'],
): Topology {
  const { secrets } = dataDir
  const url = (name: ProgramName) => `http://127.0.0.1:${ports.programs[name].port}`
  const { stripeSecretKey: secretKey, stripePublishableKey: publishableKey, stripeWebhook: webhookSecret } = secrets
  return {
    dataDir: dataDir.path,
    picturesDir: join(dataDir.path, 'pictures'),
    host: options.host ?? '127.0.0.1',
    publicOrigin: origin,
    url,
    internalUrl: (name) => `http://127.0.0.1:${ports.programs[name].internalPort}`,
    databaseUrl,
    bus: options.kafkaBrokers ? { KAFKA_BROKERS: options.kafkaBrokers } : { BUS_DATABASE_URL: databaseUrl('bus_app') },
    redis: options.redisUrl ? { REDIS_URL: options.redisUrl } : {},
    oidc: options.oidc ?? { issuer: url('identity'), clientId: 'marketplace', clientSecret: secrets.oidcClient },
    stripe: options.stripe ?? { secretKey, publishableKey, webhookSecret, apiBase: url('cards') },
    internalSecret: secrets.internal,
    sessionSecret: secrets.session,
    uploadSecret: secrets.upload,
  }
}

function createOne({ options, ports, logDir }: Boot, topology: Topology, name: ProgramName): Program {
  const webhooks = name === 'cards' && options.webhooks === false ? { WEBHOOKS: 'off' } : {}
  return new Program({
    name,
    main: mainOf(name),
    settings: { ...settingsOf(name, topology), ...webhooks, ...options.env?.[name] },
    nodeFlags: options.nodeFlags,
    ...ports.programs[name],
    hasReadiness: !localProviders.includes(name),
    replicas: options.replicas?.[name] ?? 1,
    logDir,
    report: options.report ?? (() => {}),
  })
}
