import { join } from 'node:path'
import { mainOf, PROGRAMS, settingsOf, type Places, type ProgramName } from '../wiring.ts'
import type { Boot, StackOptions } from './options.ts'
import { Program } from './program.ts'

export type Programs = Readonly<Record<ProgramName, Program>>

/** Stand-ins for what others run in production; stopped last, since the services call them. */
export const LOCAL_PARTS: readonly ProgramName[] = ['identity', 'cards']
export const OTHERS: readonly ProgramName[] = PROGRAMS.filter((name) => !LOCAL_PARTS.includes(name))

/** Which programs this stack starts: a part that was named in the settings is somebody else's. */
export function wantedOf({ only = PROGRAMS, oidc, stripe }: StackOptions): ProgramName[] {
  return only.filter((name) => !(name === 'identity' && oidc) && !(name === 'cards' && stripe))
}

/** Every program of the stack, not yet started. */
export function createPrograms(context: Boot, databaseUrl: Places['databaseUrl']): Programs {
  const places = placesOf(context, databaseUrl)
  const create = (name: ProgramName) => createOne(context, places, name)
  return {
    users: create('users'),
    catalog: create('catalog'),
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

type Ground = Pick<Boot, 'options' | 'ports' | 'origin'> & { dataDir: Pick<Boot['dataDir'], 'path' | 'secrets'> }

/** Where everything of a stack is. */
export function placesOf({ options, dataDir, ports, origin }: Ground, databaseUrl: Places['databaseUrl']): Places {
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
    bus: options.kafkaBrokers
      ? { KAFKA_BROKERS: options.kafkaBrokers, KAFKA_CLIENT: options.kafkaClient }
      : { BUS_DATABASE_URL: databaseUrl('bus_app') },
    redis: options.redisUrl ? { REDIS_URL: options.redisUrl } : {},
    oidc: options.oidc ?? { issuer: url('identity'), clientId: 'marketplace', clientSecret: secrets.oidcClient },
    stripe: options.stripe ?? { secretKey, publishableKey, webhookSecret, apiBase: url('cards') },
    internalSecret: secrets.internal,
    sessionSecret: secrets.session,
  }
}

function createOne({ options, ports, logDir }: Boot, places: Places, name: ProgramName): Program {
  const webhooks = name === 'cards' && options.webhooks === false ? { WEBHOOKS: 'off' } : {}
  return new Program({
    name,
    main: mainOf(name),
    settings: { ...settingsOf(name, places), ...webhooks, ...options.env?.[name] },
    nodeFlags: options.nodeFlags,
    ...ports.programs[name],
    hasReadiness: !LOCAL_PARTS.includes(name),
    replicas: options.replicas?.[name] ?? 1,
    logDir,
    report: options.report ?? (() => {}),
  })
}
