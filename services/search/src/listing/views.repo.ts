import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/** Stores the view count of a listing unless a larger one is stored. */
export async function upsertViews(trx: Trx, listingId: string, viewCount: number): Promise<void> {
  await trx
    .insertInto('views')
    .values({ listing_id: listingId, view_count: viewCount })
    .onConflict((conflict) =>
      conflict
        .column('listing_id')
        .doUpdateSet({ view_count: viewCount, told_at: sql`clock_timestamp()` })
        .where('views.view_count', '<', viewCount),
    )
    .execute()
}
