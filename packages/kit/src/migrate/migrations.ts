import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Migration {
  name: string
  checksum: string
  text: string
  /** True for a migration that creates indexes concurrently. Such a migration runs outside a transaction. */
  isConcurrent: boolean
}

const concurrentSuffix = '.concurrent.sql'

const kitMigrations = join(import.meta.dirname, '../../migrations')

/** Reads kit's migrations and then the service's migrations in `directory`, each sorted by file name. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  return [...(await readFolder('kit', kitMigrations)), ...(await readFolder('service', directory))]
}

async function readFolder(prefix: string, directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(directory, file), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { name: `${prefix}/${file}`, text, checksum, isConcurrent: file.endsWith(concurrentSuffix) }
    }),
  )
}
