import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { CategoryRow } from '../db.ts'
import { readCategories } from './categories.repo.ts'

const Category = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Category' })

export function categoriesRoutes(app: PublicApp, { db }: Context): void {
  app.get(
    '/api/categories',
    {
      config: { open: true, ignoresSession: true, compress: true },
      schema: { response: routeResponses({ 200: z.array(Category) }) },
    },
    async () => (await readCategories(db)).map(toView),
  )
}

function toView({ id, name, slug, description, created_at, updated_at }: CategoryRow): z.output<typeof Category> {
  return {
    id,
    name,
    slug,
    description,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
