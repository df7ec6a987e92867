import { ListingView } from '@marketplace/contracts/listing.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Position } from './browse.ts'
import { BrowseQuery, toBrowse } from './browse-query.ts'
import { writeCursor } from './cursor.ts'
import { createFindListings } from './find-listings.ts'
import { toListingView } from './listing.view.ts'

export function browseRoutes(app: PublicApp, ctx: Context): void {
  const findListings = createFindListings(ctx)
  app.get(
    '/api/listings',
    {
      config: { open: true },
      schema: { querystring: BrowseQuery, response: routeResponses({ 200: z.array(ListingView) }) },
    },
    async (request, reply) => {
      const { listings, total, next } = await findListings(toBrowse(request.query))
      reply.header('x-total-count', total)
      if (next) reply.header('link', linkToNext(request.url, next))
      return listings.map(toListingView)
    },
  )
}

function linkToNext(requestUrl: string, next: Position): string {
  const url = new URL(requestUrl, 'http://unused')
  url.searchParams.set('cursor', writeCursor(next))
  return `<${url.pathname}${url.search}>; rel="next"`
}
