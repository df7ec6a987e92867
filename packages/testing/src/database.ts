import { join } from 'node:path'
import { provision, roleUrl, rolesOf } from '@marketplace/ops/provision/provision.ts'
import { openDatabase, type Db } from '@marketplace/kit/db/db.ts'
import { migrate } from '@marketplace/kit/migrate/migrate.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import pg from 'pg'

const services = ['catalog', 'auction', 'payments', 'messaging', 'search', 'users']

// A fixed password is safe: test servers contain no real data and listen on loopback only.
const passwords = Object.fromEntries(rolesOf(services).map((role) => [role, 'test']))
const servicesFolder = join(import.meta.dirname, '../../../services')

/**
 * How long requests of tests wait for a connection of their pool, in ms. On a busy machine, the last of many concurrent
 * requests waits longer than the default of 5 s.
 */
export const connectTimeoutMs = 60_000

/** Opens the pool with which a test reads and changes the data of a service. */
export function openTestPool<Tables>(url: string): Db<Tables> {
  return openDatabase<Tables>(url, () => undefined, { connectTimeoutMs })
}

export interface TestDatabase {
  /** URL for the role with which the first service runs. */
  url: string
  ownerUrl: string
  busUrl: string
  /** Superuser URL of the same database, for inspecting data and injecting faults. */
  adminUrl: string
  /** Returns the URL for another role of this database. */
  urlFor(role: string): string
  drop(): Promise<void>
}

/**
 * Creates a database with all schemas and roles, in which the `migrated` services have their tables. The database is cloned
 * from a template.
 */
export async function testDatabase(...migrated: readonly string[]): Promise<TestDatabase> {
  const server = adminUrlOfServer()
  const template = `template_${migrated.join('_') || 'empty'}`
  const name = `test_${newId().replaceAll('-', '')}`
  await withClient(server, async (admin) => {
    // The lock serializes the creation of databases: Postgres cannot clone a template with open connections, and all
    // databases of the server share the roles.
    await admin.query('select pg_advisory_lock(727002)')
    const existing = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [template])
    if (existing.rowCount === 0) await createTemplate(admin, server, template, migrated)
    await admin.query(`create database ${name} template ${template}`)
  })
  const urlFor = (role: string) => roleUrl(server, { services, database: name, passwords }, role)
  const [main = 'catalog'] = migrated
  const adminUrl = new URL(server)
  adminUrl.pathname = `/${name}`
  return {
    url: urlFor(`${main}_app`),
    ownerUrl: urlFor(`${main}_owner`),
    busUrl: urlFor('bus_app'),
    adminUrl: adminUrl.href,
    urlFor,
    drop: () => withClient(server, (admin) => admin.query(`drop database if exists ${name} with (force)`)),
  }
}

async function createTemplate(
  admin: pg.Client,
  server: string,
  template: string,
  migrated: readonly string[],
): Promise<void> {
  await admin.query(`drop database if exists ${template} with (force)`)
  const options = { services, database: template, passwords }
  await provision(server, options)
  for (const service of migrated) {
    await migrate(roleUrl(server, options, `${service}_owner`), join(servicesFolder, service, 'migrations'))
  }
  await admin.query(`alter database ${template} is_template true`)
}

function adminUrlOfServer(): string {
  const url = process.env['TEST_ADMIN_URL']
  if (!url) throw new Error('TEST_ADMIN_URL is not set: run vitest from the root, its global setup starts a Postgres.')
  return url
}

async function withClient(connectionString: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}
