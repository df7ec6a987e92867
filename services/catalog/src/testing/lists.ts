import type { TestUser } from '@marketplace/testing/keys.ts'
import type { ApiResponse } from './instances.ts'
import type { Harness } from './harness.ts'

export interface ListedRow extends Record<string, unknown> {
  id: string
}

/** Reads a list from `path` on, page by page. */
export async function readPages(harness: Harness, as: TestUser, path: string): Promise<ApiResponse<ListedRow[]>[]> {
  const pages: ApiResponse<ListedRow[]>[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const page: ApiResponse<ListedRow[]> = await harness.get<ListedRow[]>(next, as)
    if (page.status !== 200) throw new Error(`${next} responded ${page.status}: ${JSON.stringify(page.body)}`)
    pages.push(page)
    next = /^<(.+)>; rel="next"$/.exec(String(page.headers['link']))?.[1]
  }
  return pages
}

/** Returns the ids of all pages of a list, in order. */
export async function readIds(harness: Harness, as: TestUser, path: string): Promise<string[]> {
  return (await readPages(harness, as, path)).flatMap(({ body }) => body.map(({ id }) => id))
}

/** The largest texts that a stored listing can have: 5,000 emoji and 12 URLs of 2,048 characters. */
export const hugeTexts = {
  description: `repeat('🕰', 5000)`,
  imageUrls: `(select json_agg(rpad('https://a.example/' || u, 2048, 'x')) from generate_series(1, 12) as u)::text`,
}

/**
 * Inserts fixed-price listings, each a microsecond newer than the previous one. Returns their ids, newest first. The
 * texts are SQL expressions that may use the row number `n`.
 */
export async function insertListings(
  harness: Harness,
  sellerId: string,
  count: number,
  {
    title = `'Lamp ' || n`,
    description = `''`,
    imageUrls = `'[]'`,
  }: Partial<Record<'title' | keyof typeof hugeTexts, string>> = {},
): Promise<string[]> {
  const rows = await harness.rows(
    `insert into listings (id, seller_id, title, description, category_id, condition, is_auction, price_cents, shipping_cents,
       location, is_active, accept_offers, is_on_sale, image_urls, created_at, updated_at, version)
     select uuidv7(), $1, ${title}, ${description}, 7, 'good', false, 1000, 0, '', true, true, false, ${imageUrls},
       timestamptz '2026-01-01' + n * interval '1 microsecond', now(), 1 from generate_series(1, $2::int) as n
     returning id, created_at`,
    [sellerId, count],
  )
  return rows.map(({ id }) => String(id)).toReversed()
}
