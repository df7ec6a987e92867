import { ListedView, listedParameters, toListedView } from '@marketplace/contracts/listing-card.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { z } from 'zod'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import { toListingView } from '../browse/listing.view.ts'
import type { Context } from '../context.ts'
import { findSimilar, readActive } from './similar.repo.ts'

const maxCached = 5000
const cachedMs = 10 * 60_000

export function similarRoutes(app: PublicApp, { db, settings }: Context): void {
  // Only the ids are cached; the listings are read for each request, so that prices are current and sold listings
  // disappear. Null, the result for a listing that is not indexed yet, is not cached.
  const similarTo = createAdaptiveCache(
    maxCached,
    (id) => findSimilar(db, id),
    (ids) => (ids === null ? 0 : cachedMs),
  )
  app.get(
    '/api/listings/:id/similar',
    {
      config: { open: true, compress: true },
      schema: {
        params: z.object({ id: z.string() }),
        querystring: querySchema(listedParameters),
        response: routeResponses({ 200: z.array(ListedView) }),
      },
    },
    async (request) => {
      const { id } = request.params
      const ids = isId(id) ? await similarTo(id.toLowerCase()) : null
      if (ids === null) throw missing('listing')
      const rows = await readActive(db, ids)
      return rows.map((row) => toListedView(toListingView(row, settings.PICTURES_ORIGIN), request.query.fields))
    },
  )
}
