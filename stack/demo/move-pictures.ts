import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

// Every column with picture addresses, and its type.
const columns = [
  ['catalog.listings', 'image_urls', 'text'],
  ['catalog.holds', 'image_url', 'text'],
  ['auction.auctions', 'image_url', 'text'],
  ['payments.transactions', 'listing_image_url', 'text'],
  ['search.listings', 'image_urls', 'text'],
  ['search.listings', 'body', 'jsonb'],
] as const

/**
 * Replaces the origin in the addresses of demo pictures when it changed since the last start. Runs before the services
 * start and writes to their tables: no API changes the pictures of a listing.
 */
export async function movePictures(databaseUrl: string, dataDir: string, origin: string): Promise<void> {
  const file = join(dataDir, 'picture-origin')
  const before = existsSync(file) ? readFileSync(file, 'utf8').trim() : origin
  if (before !== origin) await replaceAll(databaseUrl, `${before}/demo-pictures/`, `${origin}/demo-pictures/`)
  writeFileSync(file, `${origin}\n`)
}

async function replaceAll(databaseUrl: string, before: string, after: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    for (const [table, column, type] of columns) {
      // Tables are missing when only some of the services have been started so far.
      const { rows } = await client.query('select to_regclass($1) is not null as is_there', [table])
      if (!rows[0].is_there) continue
      const replaced = `replace(${column}::text, $1, $2)::${type}`
      const update = `update ${table} set ${column} = ${replaced} where position($1 in ${column}::text) > 0`
      await client.query(update, [before, after])
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}
