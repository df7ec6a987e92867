import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { z } from 'zod'
import { readFilters, searchParameters } from '../browse/browse-query.ts'
import type { Context } from '../context.ts'
import { createFindFacets } from './find-facets.ts'

const FacetValues = z.array(z.object({ value: z.string(), count: z.int().nullable() }))

const FacetsView = z
  .object({ category: FacetValues, condition: FacetValues, format: FacetValues, free_shipping: FacetValues })
  .meta({ id: 'Facets' })

export function facetsRoutes(app: PublicApp, ctx: Context): void {
  const findFacets = createFindFacets(ctx)
  app.get(
    '/api/listings/facets',
    {
      config: { open: true },
      schema: { querystring: querySchema(searchParameters), response: routeResponses({ 200: FacetsView }) },
    },
    async ({ query }) => findFacets({ search: query.search || null, filters: await readFilters(ctx, query) }),
  )
}
