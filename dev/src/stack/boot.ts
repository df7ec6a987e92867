import { join } from 'node:path'
import { topics } from '@marketplace/contracts/topics.ts'
import { ensureTopics } from '@marketplace/kit/bus-kafka-topics.ts'
import { provision, roleUrl, type ProvisionOptions } from '../provision.ts'
import { readListings } from '../demo/listings.ts'
import { movePictures } from '../demo/move-pictures.ts'
import { drawPictures } from '../demo/pictures.ts'
import { seedDemo } from '../demo/seed.ts'
import { step } from '../step.ts'
import { SCHEMAS, type ProgramName } from '../wiring.ts'
import { givenDatabase, runDatabase, type Database } from './database.ts'
import { migrateAll } from './migrations.ts'
import type { Boot, Stack } from './options.ts'
import { createPrograms, LOCAL_PARTS, OTHERS, wantedOf } from './programs.ts'
import { buildWeb } from './web-build.ts'

/** Database first, then everything else side by side: schemas and services, local parts, pages. */
export async function boot(context: Boot): Promise<Omit<Stack, 'stop'>> {
  const { options, dataDir, stops } = context
  const wanted = wantedOf(options)
  const building = wanted.includes('web')
    ? step(options.report, 'Pages', () => buildWeb(context.logDir))
    : Promise.resolve()
  building.catch(() => {})
  const database = await step(options.report, 'Database', () => startDatabase(context))
  stops.push(() => database.stop())
  const rights = {
    services: SCHEMAS,
    database: options.databaseName ?? 'marketplace',
    passwords: dataDir.secrets.databasePasswords,
  }
  const programs = createPrograms(context, (role) => roleUrl(database.adminUrl, rights, role))
  const stopAll = async (names: readonly ProgramName[]) =>
    void (await Promise.all(names.map((name) => programs[name].stop())))
  stops.push(() => stopAll(LOCAL_PARTS))
  stops.push(() => stopAll(OTHERS))
  stops.push(async () => Object.values(programs).forEach((program) => program.letGo()))
  const start = (name: ProgramName) =>
    wanted.includes(name) ? step(options.report, name, () => programs[name].start()) : Promise.resolve()
  drawPictures(join(dataDir.path, 'pictures'), options.seedDemo ? readListings() : [])
  await settled([
    prepareSchemas(context, database, rights, wanted)
      .then(() => movePictures(withDatabase(database.adminUrl, rights.database), dataDir.path, context.origin))
      .then(() => settled([...SCHEMAS, 'gateway' as const].map(start))),
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

function startDatabase({ options, dataDir, ports }: Boot): Promise<Database> {
  if (options.databaseUrl) return Promise.resolve(givenDatabase(options.databaseUrl))
  const report = options.report ?? (() => {})
  return runDatabase({
    dataDir: join(dataDir.path, 'postgres'),
    port: ports.postgres,
    durable: options.durable ?? true,
    sharedBuffers: options.sharedBuffers,
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
  await step(options.report, 'Schemas and roles', () => provision(database.adminUrl, rights))
  await step(options.report, 'Migrations', () =>
    migrateAll(migrated, (schema) => roleUrl(database.adminUrl, rights, `${schema}_owner`), logDir),
  )
  const { kafkaBrokers } = options
  if (kafkaBrokers) await step(options.report, 'Topics', () => makeTopics(kafkaBrokers))
}

// Before anyone sends: a topic that is made by its first event can hold that event twice.
async function makeTopics(brokers: string): Promise<void> {
  await ensureTopics({ KAFKA_BROKERS: brokers }, Object.values(topics))
}

// A shop without it is still a shop, and the next start tries again.
async function addDemoData({ options, dataDir, origin }: Boot): Promise<void> {
  const seed = () => seedDemo({ url: origin, dataDir: dataDir.path })
  // What came of a try that failed, on a machine that is very busy just now, is not made again.
  await step(options.report, 'Demo data', () => seed().catch(seed)).catch((error: unknown) =>
    options.report?.(`The demo data is not complete: ${error instanceof Error ? error.message : String(error)}`),
  )
}

// Waits for all even when one fails, so that nothing is started behind the back of the stop that follows.
async function settled(work: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

function withDatabase(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
