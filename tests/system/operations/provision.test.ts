import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type RunningPostgres } from '@marketplace/stack/servers/postgres/postgres.ts'
import { provision, roleUrl, rolesOf } from '@marketplace/ops/provision/provision.ts'

const services = ['catalog', 'payments']
const options = {
  services,
  database: 'marketplace',
  passwords: Object.fromEntries(rolesOf(services).map((role) => [role, `p'w-${role}`])),
}
const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-provision-'))
let postgres: RunningPostgres

async function asRole(role: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: roleUrl(postgres.adminUrl, options, role) })
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end())
  return rows.flat()
}

beforeAll(async () => {
  postgres = await startPostgres({ dataDir, durable: false })
  await provision(postgres.adminUrl, options)
  await asRole('payments_owner', 'CREATE TABLE ledger (id int GENERATED ALWAYS AS IDENTITY, amount int)')
  await asRole('catalog_owner', 'CREATE TABLE listings (id serial, title text)')
})

afterAll(async () => {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the roles of a schema', () => {
  it('let the application role read and write rows of its own schema, found by its search path', async () => {
    const written = await asRole('catalog_app', `INSERT INTO listings (title) VALUES ('Lamp') RETURNING title`)
    await asRole('catalog_app', `UPDATE listings SET title = 'Watch'`)
    const left = await asRole('catalog_app', 'DELETE FROM listings RETURNING title')
    expect({ written, left }).toEqual({ written: ['Lamp'], left: ['Watch'] })
  })

  it.each([
    ['read the schema of another service', 'SELECT * FROM payments.ledger'],
    ['create a table', 'CREATE TABLE mine (id int)'],
    ['create a table in public', 'CREATE TABLE public.mine (id int)'],
    ['create a temporary table', 'CREATE TEMP TABLE mine (id int)'],
    ['drop its table', 'DROP TABLE listings'],
    ['truncate its table', 'TRUNCATE listings'],
    ['create a schema', 'CREATE SCHEMA mine'],
    ['become the owner', 'SET ROLE catalog_owner'],
    ['become the admin', 'SET ROLE postgres'],
    ['read the bus', 'SELECT * FROM bus.anything'],
  ])('K4 do not let the application role %s', async (_, sql) => {
    await expect(asRole('catalog_app', sql)).rejects.toThrow(/permission denied|must be owner/)
  })

  it('do not let an owner read the schema of another service', async () => {
    await expect(asRole('catalog_owner', 'SELECT * FROM payments.ledger')).rejects.toThrow('permission denied')
  })

  it('are not superusers and cannot create roles or databases', async () => {
    const powerful = await asRole(
      'catalog_app',
      `SELECT rolname FROM pg_roles
      WHERE rolname ~ '_(owner|app|reader)$' AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication)`,
    )
    expect(powerful).toEqual([])
  })

  it('let the reader of operations read every schema and change nothing', async () => {
    await asRole('payments_app', 'INSERT INTO ledger (amount) VALUES (5)')
    await asRole('payments_owner', 'CREATE TABLE later (id serial)')
    const sequences = `SELECT count(*)::int FROM pg_sequences WHERE last_value IS NOT NULL`
    expect([
      await asRole('ops_reader', 'SELECT amount FROM payments.ledger'),
      await asRole('ops_reader', 'SELECT count(*)::int FROM payments.later'),
      await asRole('ops_reader', sequences),
    ]).toEqual([[5], [0], [2]])
    await expect(asRole('ops_reader', 'DELETE FROM payments.ledger')).rejects.toThrow('read-only transaction')
    const writing = 'BEGIN READ WRITE; DELETE FROM payments.ledger'
    await expect(asRole('ops_reader', writing)).rejects.toThrow('permission denied')
    await asRole('payments_app', 'DELETE FROM ledger')
  })

  it('find the trigram functions without a schema name', async () => {
    expect(await asRole('catalog_app', `SELECT similarity('lamp', 'lamp')`)).toEqual([1])
  })

  it('let the bus create its own tables', async () => {
    await asRole('bus_app', 'CREATE TABLE positions (id int)')
    expect(await asRole('bus_app', 'SELECT count(*)::int FROM bus.positions')).toEqual([0])
  })
})

it('changes nothing when it runs again, even twice concurrently', async () => {
  await Promise.all([provision(postgres.adminUrl, options), provision(postgres.adminUrl, options)])
  expect(await asRole('payments_app', 'SELECT count(*)::int FROM ledger')).toEqual([0])
})
