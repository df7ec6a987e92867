import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** The names of categories that have active listings, by slug: one look into the index for each. */
export async function readCategoryNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ category_name: string }>`
    with recursive known as (
      (select category_slug, category_name from listings where is_active order by category_slug limit 1)
      union all
      select next.category_slug, next.category_name from known cross join lateral (
        select category_slug, category_name from listings
        where is_active and category_slug > known.category_slug order by category_slug limit 1
      ) as next
    )
    select category_name from known`.execute(db)
  return rows.map(({ category_name }) => category_name)
}
