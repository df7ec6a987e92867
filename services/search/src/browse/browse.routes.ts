import { ListedView, toListedView } from '@marketplace/contracts/listing-card.ts'
import { page } from '@marketplace/kit/http/paging.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { counter, startAtZero } from '@marketplace/kit/telemetry/metrics.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { withSession } from '../session.ts'
import { BrowseQuery, toBrowse } from './browse-query.ts'
import { toListingView } from './listing.view.ts'

const searches = startAtZero(
  counter('search_searches_total', 'First pages of searches, by whether a listing was found.', ['found']),
  [{ found: 'yes' }, { found: 'no' }],
)

export function browseRoutes(app: PublicApp, ctx: Context): void {
  const { findPage } = ctx.findListings
  app.get(
    '/api/listings',
    {
      config: { open: true, compress: true },
      schema: { querystring: BrowseQuery, response: routeResponses({ 200: z.array(ListedView) }) },
    },
    async (request, reply) => {
      const browse = await toBrowse(ctx, request.query)
      const { rows, total, corrected } = await withSession(ctx, (session) => findPage(session, browse))
      reply.header('x-total-count', total)
      if (browse.search !== null && browse.after === null) searches.inc({ found: total === '0' ? 'no' : 'yes' })
      if (corrected !== null) reply.header('x-search-corrected', encodeURIComponent(corrected))
      return page(request, reply, {
        rows,
        limit: browse.limit,
        toView: ({ row, match }) =>
          toListedView(
            toListingView(row, ctx.settings.PICTURES_ORIGIN),
            request.query.fields,
            corrected === null ? match : 'fuzzy',
          ),
        positionOf: ({ position }) => position,
      })
    },
  )
}
