import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@marketplace/kit/migrate/migrate.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { roleUrl, rolesOf } from '../provision/provision.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

const servicesFolder = join(import.meta.dirname, '../../services')
const added = '9999_added.sql'

describe('restoring a backup of another version', () => {
  const restored = {
    services: schemas,
    database: `test_${newId().replaceAll('-', '')}`,
    passwords: Object.fromEntries(rolesOf(schemas).map((role) => [role, 'test'])),
  }
  let database: TestDatabase
  let folder: string
  let admin: pg.Client

  beforeEach(async () => {
    database = await testDatabase(...schemas)
    folder = await mkdtemp(join(tmpdir(), 'restore-'))
    admin = new pg.Client({ connectionString: database.adminUrl })
    await admin.connect()
  })
  afterEach(async () => {
    await admin.query(`drop database if exists ${restored.database} with (force)`)
    await admin.end()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('leaves the migrations that the backup does not contain to the next release', async () => {
    await takeBackup(database.adminUrl, join(folder, 'backup'))
    const newer = await newerServices(folder)
    await restoreBackup(database.adminUrl, join(folder, 'backup'), { ...restored, servicesFolder: newer })
    const owner = roleUrl(database.adminUrl, restored, 'search_owner')
    expect(await migrate(owner, join(newer, 'search/migrations'))).toEqual([`service/${added}`])
  })

  it('creates nothing when the backup contains a migration that this version does not have', async () => {
    await migrate(database.urlFor('search_owner'), join(await newerServices(folder), 'search/migrations'))
    await takeBackup(database.adminUrl, join(folder, 'backup'))
    await expect(restoreBackup(database.adminUrl, join(folder, 'backup'), restored)).rejects.toThrow(
      `This version does not have the migration service/${added} of search`,
    )
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [restored.database])
    expect(rowCount).toBe(0)
  })
})

/** Copies the services' migrations, adds one to search, and returns the folder. */
async function newerServices(folder: string): Promise<string> {
  for (const schema of schemas)
    await cp(join(servicesFolder, schema, 'migrations'), join(folder, schema, 'migrations'), { recursive: true })
  await writeFile(join(folder, 'search/migrations', added), 'create table added (n int);')
  return folder
}
