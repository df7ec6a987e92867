import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface Category {
  slug: string
  name: string
}

/** Returns all categories with active listings, ordered by slug. The recursive query reads one index entry per category. */
export async function readCategories(db: Db): Promise<Category[]> {
  const { rows } = await sql<Category>`
    with recursive categories as (
      (select category_slug, category_name from listings where is_active order by category_slug limit 1)
      union all
      select next.category_slug, next.category_name from categories cross join lateral (
        select category_slug, category_name from listings
        where is_active and category_slug > categories.category_slug order by category_slug limit 1
      ) as next
    )
    select category_slug as slug, category_name as name from categories`.execute(db)
  return rows
}
