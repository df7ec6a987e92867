import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings } from '@marketplace/kit/config/config.ts'
import { Client } from 'pg'
import { restoreBackup } from '../backup/restore-backup.ts'
import type { Command } from './command.ts'
import { databaseSettings, readRoles } from './settings.ts'

/**
 * Restores a backup into a new database on the server of DATABASE_URL, which must be an administrator's URL. The
 * argument is the folder of a backup, or a folder with several backups, of which the latest is restored. Fails if the
 * database already exists, so that no data is overwritten.
 */
export const restore: Command = async ([given], environment) => {
  const { DATABASE_URL: adminUrl } = readSettings(databaseSettings, environment)
  const options = readRoles(environment)
  if (!given) throw new Error('A folder is required: restore <folder>.')
  const folder = findBackup(given)
  await rejectExisting(adminUrl, options.database)
  await restoreBackup(adminUrl, folder, options)
  process.stdout.write(`${folder} is restored in the database ${options.database}.\n`)
  return 0
}

/**
 * Returns the folder if it is a backup, otherwise the latest backup in it. Backups are named after their time, so the
 * last name is the latest backup.
 */
function findBackup(folder: string): string {
  const isBackup = (path: string) => existsSync(join(path, 'manifest.json'))
  const inside = existsSync(folder) ? readdirSync(folder).toSorted() : []
  const found = [...inside.map((name) => join(folder, name)), folder].findLast(isBackup)
  if (found === undefined) throw new Error(`There is no backup in ${folder}.`)
  return found
}

async function rejectExisting(adminUrl: string, database: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
    if (rowCount) throw new Error(`The server has a database ${database} already; restore on a server without it.`)
  } finally {
    await client.end()
  }
}
