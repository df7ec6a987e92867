import { Client, escapeIdentifier, escapeLiteral } from 'pg'

export interface ProvisionOptions {
  /** Each service gets a schema of the same name. */
  readonly services: readonly string[]
  readonly database: string
  /** Passwords by role name. `rolesOf` returns the names. */
  readonly passwords: Readonly<Record<string, string>>
}

/**
 * The database role for the ops commands that only read: checking invariants, printing a timeline, making a backup. The
 * role can read every schema.
 */
export const reader = 'ops_reader'

/** The role that owns the schema of the event bus if the bus is Postgres. */
export const busRole = 'bus_app'

/** Additional roles per schema; migrations grant these roles access to only some tables. */
const workerRoles: Readonly<Record<string, readonly string[]>> = { catalog: ['catalog_pictures'] }

/**
 * Returns the names of all roles that `provision` creates. Each role needs a password, except `busRole` if the bus is
 * Kafka.
 */
export function rolesOf(services: readonly string[]): string[] {
  return [...services.flatMap(rolesOfService), busRole, reader]
}

function rolesOfService(service: string): string[] {
  return [`${service}_owner`, `${service}_app`, ...(workerRoles[service] ?? [])]
}

/** Creates the database, schemas, roles and grants. Idempotent: a second run changes only passwords. */
export async function provision(adminUrl: string, options: ProvisionOptions): Promise<void> {
  await withClient(adminUrl, (admin) => createDatabaseAndRoles(admin, options))
  await withClient(databaseUrl(adminUrl, options.database), async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLockKey])
    await client.query(grantsFor(options).join(';\n'))
  })
}

/** Returns the URL of the database for one role. */
export function roleUrl(adminUrl: string, options: ProvisionOptions, role: string): string {
  const url = new URL(databaseUrl(adminUrl, options.database))
  url.username = role
  url.password = passwordOf(options, role)
  return url.href
}

// Serializes concurrent runs on one server, because two runs could otherwise create the same role at the same time.
const advisoryLockKey = 727_001

async function createDatabaseAndRoles(admin: Client, options: ProvisionOptions): Promise<void> {
  await admin.query('SELECT pg_advisory_lock($1)', [advisoryLockKey])
  const { rows: roles } = await admin.query<{ rolname: string }>('SELECT rolname FROM pg_roles')
  const existing = new Set(roles.map((role) => role.rolname))
  for (const role of rolesOf(options.services)) {
    const verb = existing.has(role) ? 'ALTER' : 'CREATE'
    const isWithoutPassword = role === busRole && options.passwords[role] === undefined
    const password = isWithoutPassword ? '' : `PASSWORD ${escapeLiteral(passwordOf(options, role))}`
    await admin.query(`${verb} ROLE ${escapeIdentifier(role)} LOGIN ${password} NOCREATEDB NOCREATEROLE NOINHERIT`)
    // An administrator without superuser rights must be a member of a role to make it the owner of a schema.
    await admin.query(`GRANT ${escapeIdentifier(role)} TO CURRENT_USER`)
  }
  const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [options.database])
  if (found.rowCount === 0)
    await admin.query(`CREATE DATABASE ${escapeIdentifier(options.database)} ENCODING 'UTF8' TEMPLATE template0`)
}

function grantsFor({ services, database }: ProvisionOptions): string[] {
  const name = escapeIdentifier(database)
  return [
    `REVOKE ALL ON DATABASE ${name} FROM PUBLIC`,
    'REVOKE ALL ON SCHEMA public FROM PUBLIC',
    'CREATE SCHEMA IF NOT EXISTS extensions',
    'GRANT USAGE ON SCHEMA extensions TO PUBLIC',
    'CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA extensions',
    'CREATE EXTENSION IF NOT EXISTS fuzzystrmatch SCHEMA extensions',
    ...services.flatMap((service) => grantsForService(service, name)),
    `CREATE SCHEMA IF NOT EXISTS bus AUTHORIZATION ${busRole}`,
    // The invariant checker stores its position here.
    `CREATE SCHEMA IF NOT EXISTS ops AUTHORIZATION ${reader}`,
    `GRANT CONNECT ON DATABASE ${name} TO ${busRole}, ${reader}`,
    `ALTER ROLE ${busRole} SET search_path = bus`,
    ...services.flatMap((service) => readGrants(service, `${service}_owner`)),
    ...readGrants('bus', busRole),
    `ALTER ROLE ${reader} SET default_transaction_read_only = on`,
  ]
}

// Returns the grants for the reader role. Existing tables need a separate grant, because default privileges apply only
// to tables that are created later.
function readGrants(schemaName: string, ownerName: string): string[] {
  const schema = escapeIdentifier(schemaName)
  const byDefault = `ALTER DEFAULT PRIVILEGES FOR ROLE ${escapeIdentifier(ownerName)} IN SCHEMA ${schema} GRANT SELECT ON`
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${reader}`,
    ...['TABLES', 'SEQUENCES'].flatMap((kind) => [
      `GRANT SELECT ON ALL ${kind} IN SCHEMA ${schema} TO ${reader}`,
      `${byDefault} ${kind} TO ${reader}`,
    ]),
  ]
}

function grantsForService(service: string, database: string): string[] {
  const schema = escapeIdentifier(service)
  const [owner = '', app = '', ...workers] = rolesOfService(service).map((role) => escapeIdentifier(role))
  const byDefault = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema} GRANT`
  return [
    `CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${owner}`,
    `GRANT CONNECT ON DATABASE ${database} TO ${[owner, app, ...workers].join(', ')}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${[app, ...workers].join(', ')}`,
    `${byDefault} SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${app}`,
    `${byDefault} USAGE ON SEQUENCES TO ${app}`,
    ...[owner, app, ...workers].map((role) => `ALTER ROLE ${role} SET search_path = ${schema}, extensions`),
  ]
}

function passwordOf({ passwords }: ProvisionOptions, role: string): string {
  const password = passwords[role]
  if (!password) throw new Error(`A password is required for the role ${role}.`)
  return password
}

function databaseUrl(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}

async function withClient<T>(connectionString: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
