import { join } from 'node:path'
import { readSettings } from '@marketplace/kit/config/config.ts'
import { takeBackup } from '../backup/take-backup.ts'
import type { Command } from './command.ts'
import { databaseSettings } from './settings.ts'

/**
 * Backs up all schemas into a new subfolder of the folder given as argument. The subfolder is named after the current
 * time.
 */
export const backup: Command = async ([parent], environment) => {
  const { DATABASE_URL: databaseUrl } = readSettings(databaseSettings, environment)
  if (!parent) throw new Error('A folder is required: backup <folder>.')
  const folder = join(parent, new Date().toISOString().replaceAll(':', '-'))
  const { takenAt, tables } = await takeBackup(databaseUrl, folder)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(`${folder} has ${rows} rows of ${tables.length} tables as of ${takenAt}.\n`)
  return 0
}
