import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { topics } from '@marketplace/contracts/topics.ts'
import { ensureTopics } from '@marketplace/bus/kafka/topics.ts'
import { provision, roleUrl, type ProvisionOptions } from '@marketplace/ops/provision/provision.ts'
import { seedDemo } from '../demo/seed.ts'
import { reasonOf, StartError } from './start-error.ts'
import { step } from './step.ts'
import { type ProgramName } from './topology.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { externalDatabase, runDatabase, storeAdminUrl, withDatabase, type Database } from './database.ts'
import { migrateAll } from '../processes/migrations.ts'
import type { Boot, Stack } from './options.ts'
import { createPrograms, localProviders, otherPrograms, programsToStart } from '../processes/programs.ts'
import { buildWeb } from '../processes/web-build.ts'

/** Starts the database first, then schemas and services, local providers and pages concurrently, then the gateway. */
export async function boot(context: Boot): Promise<Omit<Stack, 'stop'>> {
  const { options, dataDir, stops } = context
  const names = programsToStart(options)
  const building = names.includes('web')
    ? step(options.report, 'Pages', () => buildWeb(context.logDir))
    : Promise.resolve()
  building.catch(() => {})
  mkdirSync(join(dataDir.path, 'pictures'), { recursive: true })
  const database = await step(options.report, 'Database', () => startDatabase(context))
  stops.push(() => database.stop())
  const rights = {
    services: schemas,
    database: options.databaseName ?? 'marketplace',
    passwords: dataDir.secrets.databasePasswords,
  }
  const adminUrl = withDatabase(database.adminUrl, rights.database)
  stops.push(storeAdminUrl(dataDir.path, adminUrl))
  const programs = createPrograms(context, (role) => roleUrl(database.adminUrl, rights, role))
  const stopAll = async (names: readonly ProgramName[]) =>
    void (await Promise.all(names.map((name) => programs[name].stop())))
  stops.push(() => stopAll(localProviders))
  stops.push(() => stopAll(otherPrograms))
  stops.push(async () => Object.values(programs).forEach((program) => program.endSupervision()))
  const start = (name: ProgramName) =>
    names.includes(name) ? step(options.report, name, () => programs[name].start()) : Promise.resolve()
  await settleAll([
    prepareSchemas(context, database, rights, names).then(() =>
      settleAll([...schemas, 'catalog-pictures' as const].map(start)),
    ),
    ...localProviders.map(start),
    building.then(() => start('web')),
  ])
  // Last, so that a request is refused until every program behind the gateway listens.
  await start('gateway')
  return {
    url: context.origin,
    adminUrl,
    services: programs,
    postgres: database,
    secrets: dataDir.secrets,
    demoReady: options.seedDemo ? addDemoData(context) : Promise.resolve(),
  }
}

function startDatabase({ options, dataDir, ports }: Boot): Promise<Database> {
  if (options.databaseUrl) return externalDatabase(options.databaseUrl)
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
  names: ProgramName[],
): Promise<void> {
  const migrated = schemas.filter((name) => names.includes(name))
  await step(options.report, 'Schemas and roles', () => provision(database.adminUrl, rights))
  await step(options.report, 'Migrations', () =>
    migrateAll(migrated, (schema) => roleUrl(database.adminUrl, rights, `${schema}_owner`), logDir),
  )
  const { kafkaBrokers } = options
  if (kafkaBrokers) await step(options.report, 'Topics', () => createTopics(kafkaBrokers))
}

// Enough for one machine; each partition costs the broker memory and files.
const embeddedPartitions = 4

// Created before the first publish: a topic created by its first event can contain that event twice.
async function createTopics(brokers: string): Promise<void> {
  const settings = { KAFKA_BROKERS: brokers, KAFKA_PARTITIONS: embeddedPartitions }
  await ensureTopics(settings, Object.values(topics)).catch((error: unknown) => {
    throw new StartError(`KAFKA_BROKERS does not work (${reasonOf(error)}): start those brokers, or correct the list.`)
  })
}

// Missing demo data does not stop the start. The next start completes it.
async function addDemoData({ options, dataDir, origin }: Boot): Promise<void> {
  const report = options.report ?? ((line: string) => void process.stderr.write(`${line}\n`))
  const seed = () => seedDemo({ url: origin, dataDir: dataDir.path })
  // A busy machine can exceed a deadline, and the second try skips what the first created.
  const seedAgain = (error: unknown) => {
    report(`The demo data is tried again: ${reasonOf(error)}`)
    return seed()
  }
  await step(options.report, 'Demo data', () => seed().catch(seedAgain)).catch((error: unknown) =>
    report(`The demo data is not complete: ${reasonOf(error)}`),
  )
}

// Waits for all even when one fails, so that nothing starts after the stop that follows.
async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}
