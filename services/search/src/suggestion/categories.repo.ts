import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Returns the names of all categories with active listings, ordered by slug. The recursive query reads only one index
 * entry per category.
 */
export async function readCategoryNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ category_name: string }>`
    with recursive categories as (
      (select category_slug, category_name from listings where is_active order by category_slug limit 1)
      union all
      select next.category_slug, next.category_name from categories cross join lateral (
        select category_slug, category_name from listings
        where is_active and category_slug > categories.category_slug order by category_slug limit 1
      ) as next
    )
    select category_name from categories`.execute(db)
  return rows.map(({ category_name }) => category_name)
}
