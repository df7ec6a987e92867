import { newId } from '@marketplace/kit/values/ids.ts'
import type { Harness } from './harness.ts'

/** Inserts `count` listings, each one millisecond newer than the previous. The fields are SQL expressions of the row number n. */
export async function insertMany(
  harness: Harness,
  count: number,
  { title, category, cents }: Record<'title' | 'category' | 'cents', string>,
) {
  await harness.query(
    `insert into listings (id, version, seller_id, title, description, category_id, category_name, category_slug,
       condition, is_auction, price_cents, shipping_cents, location, is_active, accept_offers, is_on_sale, view_count,
       image_urls, created_at, updated_at)
     select uuidv7(), 1, $1, ${title}, '', 7, 'Any', ${category}, 'good', false, ${cents}, 0, '', true, true, false,
       0, '[]', timestamptz '2026-01-01' + n * interval '1 ms', now() from generate_series(1, ${count}) as n`,
    [newId()],
  )
  await harness.query(
    `insert into listing_words (listing_id, words) select id, to_tsvector('english', title) from listings`,
  )
}
