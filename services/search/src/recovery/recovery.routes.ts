import { ListingCardView, toListingCard } from '@marketplace/contracts/listing-card.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { z } from 'zod'
import { readFilters, searchParameters } from '../browse/browse-query.ts'
import { toListingView } from '../browse/listing.view.ts'
import type { Context } from '../context.ts'
import { withSession } from '../session.ts'
import { createFindRecovery } from './find-recovery.ts'

const RecoveryView = z
  .object({
    steps: z.array(
      z.object({
        kind: z.enum(['filter', 'word', 'category']),
        name: z.string(),
        value: z.string(),
        total: z.string().meta({ description: 'As in X-Total-Count' }),
      }),
    ),
    listings: z.array(ListingCardView),
  })
  .meta({ id: 'Recovery' })

export function recoveryRoutes(app: PublicApp, ctx: Context): void {
  const findRecovery = createFindRecovery(ctx.findListings)
  app.get(
    '/api/search/recovery',
    {
      config: { open: true, compress: true },
      schema: {
        querystring: querySchema(searchParameters),
        response: routeResponses({ 200: RecoveryView }),
      },
    },
    async ({ query }) => {
      const filters = await readFilters(ctx, query)
      const { steps, page } = await withSession(ctx, (session) =>
        findRecovery(session, { search: query.search || null, filters, location: query.location }),
      )
      const listings = (page?.rows.slice(0, 12) ?? []).map(({ row, match }) =>
        toListingCard(toListingView(row, ctx.settings.PICTURES_ORIGIN), page?.corrected ? 'fuzzy' : match),
      )
      return { steps, listings }
    },
  )
}
