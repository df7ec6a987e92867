import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export interface PictureUse {
  today: number
  unused: number
  all: number
}

/** Counts all pictures of an uploader, those announced in the last 24 hours, and those that no listing uses. */
export async function countPictureUse(trx: Trx, uploaderId: string): Promise<PictureUse> {
  const { rows } = await sql<PictureUse>`
    select
      count(*) filter (where created_at > statement_timestamp() - interval '24 hours') as today,
      count(*) filter (where state in ('announced', 'uploaded') or unused_since is not null) as unused,
      count(*) as all
    from pictures where uploader_id = ${uploaderId}`.execute(trx)
  const [use] = rows
  if (!use) throw new Error('The database returned no counts.')
  return use
}
