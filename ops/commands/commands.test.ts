import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@marketplace/kit/values/ids.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { commands } from './commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'marketplace-ops-'))
const restored = `test_${newId().replaceAll('-', '')}`
const listing = '0192f000-0000-7000-8000-000000000001'
let database: TestDatabase
let admin: pg.Client

const urlOf = (role: string, name: string) => {
  const url = new URL(database.urlFor(role))
  url.pathname = `/${name}`
  return url.href
}

/** The URLs of services and migrations, as the chart gives them. */
function roleSettings(name: string): Record<string, string> {
  const settings = schemas.flatMap((schema) => [
    [`${schema.toUpperCase()}_DATABASE_URL`, urlOf(`${schema}_app`, name)],
    [`${schema.toUpperCase()}_OWNER_DATABASE_URL`, urlOf(`${schema}_owner`, name)],
  ])
  return {
    ...Object.fromEntries(settings),
    CATALOG_PICTURES_DATABASE_URL: urlOf('catalog_pictures', name),
    OPS_DATABASE_URL: urlOf('ops_reader', name),
  }
}

/** Runs a command and returns its exit code and output, or the message of its error. */
async function run(name: string, args: readonly string[], settings: Record<string, string>) {
  let output = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text)
    return true
  })
  try {
    return { code: await commands[name]?.(args, settings), output }
  } catch (error) {
    return { code: 1, output: error instanceof Error ? error.message : String(error) }
  } finally {
    write.mockRestore()
  }
}

beforeAll(async () => {
  database = await testDatabase(...schemas)
  admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  await admin.query(
    `insert into messaging.conversations (id, listing_id, listing_title, buyer_id, seller_id)
     values ($1, $1, 'A lamp', $1, gen_random_uuid())`,
    [listing],
  )
})
afterAll(async () => {
  await admin.query(`drop database if exists ${restored} with (force)`)
  await admin.end()
  await database.drop()
  rmSync(folder, { recursive: true })
})

describe('a command of operations', () => {
  it('checks every invariant and prints a timeline with the rights of the reader', async () => {
    const settings = { DATABASE_URL: database.urlFor('ops_reader') }
    const { code, output } = await run('verify-invariants', [], settings)
    expect(output).toMatch(/ok {3}no event is parked\n[^]*Invariants: \d+ hold, 0 do not\n$/)
    expect(code).toBe(0)
    const watched = { code: 0, output: expect.stringContaining(`conversation ${listing} with buyer`) }
    expect(await run('timeline', [listing], settings)).toEqual(watched)
    expect(await run('timeline', [], { ...settings, LISTING_ID: listing })).toEqual(watched)
  })

  it('backs up as the reader and restores the latest backup where no database is', async () => {
    const backedUp = await run('backup', [folder], { DATABASE_URL: database.urlFor('ops_reader') })
    expect(backedUp).toEqual({
      code: 0,
      output: expect.stringMatching(/T\d\d-\d\d-\d\d\.\d+Z has \d+ rows of \d+ tables/),
    })
    const settings = { ...roleSettings(restored), DATABASE_URL: database.adminUrl }
    expect(await run('restore', [folder], settings)).toEqual({
      code: 0,
      output: expect.stringContaining(`is restored in the database ${restored}.`),
    })
    const client = new pg.Client({ connectionString: urlOf('messaging_app', restored) })
    await client.connect()
    const { rows } = await client.query('select id from conversations').finally(() => client.end())
    expect(rows).toEqual([{ id: listing }])
    expect(await run('restore', [folder], settings)).toEqual({
      code: 1,
      output: `The server has a database ${restored} already; restore on a server without it.`,
    })
  })

  it('provisions again with the passwords of the URLs', async () => {
    const name = new URL(database.adminUrl).pathname.slice(1)
    const settings = { ...roleSettings(name), DATABASE_URL: database.adminUrl }
    expect(await run('provision', [], settings)).toEqual({
      code: 0,
      output: `The database ${name} has 6 schemas and 15 roles.\n`,
    })
  })

  it.each([
    ['provision', 'without a URL', { USERS_DATABASE_URL: '' }, 'USERS_DATABASE_URL is missing or invalid'],
    [
      'provision',
      'with the URL of another role',
      { USERS_DATABASE_URL: 'postgres://users_owner:x@db/marketplace' },
      'USERS_DATABASE_URL must be a URL of the role users_app.',
    ],
    [
      'restore',
      'with URLs of two databases',
      { USERS_DATABASE_URL: 'postgres://users_app:x@db/other' },
      'The URLs name more than one database: other, marketplace.',
    ],
    ['restore', 'without a backup', {}, 'There is no backup in nowhere.'],
  ])('%s fails %s and changes nothing', async (name, _what, wrong, message) => {
    const settings = { ...roleSettings('marketplace'), DATABASE_URL: database.adminUrl, ...wrong }
    expect(await run(name, ['nowhere'], settings)).toEqual({ code: 1, output: expect.stringContaining(message) })
    const found = await admin.query(`select 1 from pg_database where datname in ('marketplace', 'other')`)
    expect(found.rowCount).toBe(0)
  })
})
