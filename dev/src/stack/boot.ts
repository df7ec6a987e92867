import { join } from 'node:path'
import { provision, roleUrl, type ProvisionOptions } from '../provision.ts'
import { readListings } from '../demo/listings.ts'
import { drawPictures } from '../demo/pictures.ts'
import { seedDemo } from '../demo/seed.ts'
import { mainOf, PROGRAMS, SCHEMAS, settingsOf, type Places, type Ports, type ProgramName } from '../wiring.ts'
import type { DataDir } from './data-dir.ts'
import { givenDatabase, runDatabase, type Database } from './database.ts'
import { migrateAll } from './migrations.ts'
import type { Stack, StackOptions } from './options.ts'
import { createProgram, type Program } from './program.ts'
import { buildWeb } from './web-build.ts'

export type Boot = {
  readonly options: StackOptions
  readonly dataDir: DataDir
  readonly ports: Ports
  readonly origin: string
  readonly logDir: string
  /** Run from the last to the first when the stack stops or cannot start. */
  readonly stops: (() => Promise<void>)[]
}

type Programs = Readonly<Record<ProgramName, Program>>

const LOCAL_PARTS: readonly ProgramName[] = ['identity', 'cards']

/** Database first, then everything else side by side: schemas and services, local parts, pages. */
export async function boot(context: Boot): Promise<Omit<Stack, 'stop'>> {
  const { options, dataDir, stops } = context
  const wanted = wantedOf(options)
  const building = wanted.includes('web') ? step(options, 'Pages', () => buildWeb(context.logDir)) : Promise.resolve()
  building.catch(() => {})
  const database = await step(options, 'Database', () => startDatabase(context))
  stops.push(() => database.stop())
  const rights: ProvisionOptions = {
    services: SCHEMAS,
    database: 'marketplace',
    passwords: dataDir.secrets.databasePasswords,
  }
  const programs = createPrograms(
    context,
    placesOf(context, (role) => roleUrl(database.adminUrl, rights, role)),
  )
  stops.push(() => stopAll(programs, LOCAL_PARTS))
  stops.push(() =>
    stopAll(
      programs,
      PROGRAMS.filter((name) => !LOCAL_PARTS.includes(name)),
    ),
  )
  stops.push(async () => Object.values(programs).forEach((program) => program.letGo()))
  const start = (name: ProgramName) =>
    wanted.includes(name) ? step(options, name, () => programs[name].start()) : Promise.resolve()
  drawPictures(join(dataDir.path, 'pictures'), options.seedDemo ? readListings() : [])
  await settled([
    prepareSchemas(context, database, rights, wanted).then(() => settled([...SCHEMAS, 'gateway' as const].map(start))),
    ...LOCAL_PARTS.map(start),
    building.then(() => start('web')),
  ])
  if (options.seedDemo) await addDemoData(context)
  return {
    url: context.origin,
    adminUrl: withDatabase(database.adminUrl, rights.database),
    services: programs,
    postgres: database,
    secrets: dataDir.secrets,
  }
}

function wantedOf({ only = PROGRAMS, oidc, stripe }: StackOptions): ProgramName[] {
  return only.filter((name) => !(name === 'identity' && oidc) && !(name === 'cards' && stripe))
}

function startDatabase({ options, dataDir, ports }: Boot): Promise<Database> {
  if (options.databaseUrl) return Promise.resolve(givenDatabase(options.databaseUrl))
  const report = options.report ?? (() => {})
  return runDatabase({
    dataDir: join(dataDir.path, 'postgres'),
    port: ports.postgres,
    durable: options.durable ?? true,
    report,
  })
}

async function prepareSchemas(
  { options, logDir }: Boot,
  database: Database,
  rights: ProvisionOptions,
  wanted: ProgramName[],
): Promise<void> {
  const migrated = SCHEMAS.filter((name) => wanted.includes(name))
  await step(options, 'Schemas and roles', () => provision(database.adminUrl, rights))
  await step(options, 'Migrations', () =>
    migrateAll(migrated, (schema) => roleUrl(database.adminUrl, rights, `${schema}_owner`), logDir),
  )
}

function placesOf({ options, dataDir, ports, origin }: Boot, databaseUrl: Places['databaseUrl']): Places {
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
  }
}

function createPrograms(context: Boot, places: Places): Programs {
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

function createOne({ options, ports, logDir }: Boot, places: Places, name: ProgramName): Program {
  const webhooks = name === 'cards' && options.webhooks === false ? { WEBHOOKS: 'off' } : {}
  return createProgram({
    name,
    main: mainOf(name),
    settings: { ...settingsOf(name, places), ...webhooks, ...options.env?.[name] },
    ...ports.programs[name],
    hasReadiness: !LOCAL_PARTS.includes(name),
    replicas: options.replicas?.[name] ?? 1,
    logDir,
    report: options.report ?? (() => {}),
  })
}

async function stopAll(programs: Programs, names: readonly ProgramName[]): Promise<void> {
  await Promise.all(names.map((name) => programs[name].stop()))
}

// A shop without it is still a shop, and the next start tries again.
async function addDemoData({ options, dataDir, origin }: Boot): Promise<void> {
  await step(options, 'Demo data', () => seedDemo({ url: origin, dataDir: dataDir.path })).catch((error: unknown) =>
    options.report?.(`The demo data is not complete: ${error instanceof Error ? error.message : String(error)}`),
  )
}

// Waits for all even when one fails, so that nothing is started behind the back of the stop that follows.
async function settled(work: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

async function step<T>({ report }: StackOptions, title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  report?.(`${title.padEnd(20)} ${seconds.padStart(5)} s`)
  return result
}

function withDatabase(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
