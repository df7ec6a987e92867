import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

// Every copy of a listing's pictures.
const columns = [
  ['catalog.listings', 'image_urls'],
  ['catalog.holds', 'image_url'],
  ['auction.auctions', 'image_url'],
  ['payments.transactions', 'listing_image_url'],
  ['search.listings', 'image_urls'],
] as const

/**
 * The addresses of our own pictures begin with the origin they were listed at. A start at another one moves them all, before a
 * service runs that could have read them. Past the services, since a listing's pictures have no call that changes them.
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
    for (const [table, column] of columns) {
      // A start of a part of the services may come before the others' first.
      const { rows } = await client.query('select to_regclass($1) is not null as is_there', [table])
      if (!rows[0].is_there) continue
      const update = `update ${table} set ${column} = replace(${column}, $1, $2) where position($1 in ${column}) > 0`
      await client.query(update, [before, after])
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}
