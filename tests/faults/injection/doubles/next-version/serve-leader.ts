import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { z } from 'zod'
import { bidsRoutes as register } from '../../../../../services/auction/src/bid/bids.routes.ts'
import { readBids } from '../../../../../services/auction/src/bid/bids.repo.ts'

export * from '../../../../../services/auction/src/bid/bids.routes.ts'

const Leader = z.object({ leader: z.string().nullable() })

/** Adds a route of the next version: the leader of an auction. */
export function bidsRoutes(...[app, ctx, decider]: Parameters<typeof register>): void {
  register(app, ctx, decider)
  app.get(
    '/api/auctions/:id/leader',
    {
      config: { open: true },
      schema: { params: z.object({ id: z.string() }), response: routeResponses({ 200: Leader }) },
    },
    async (request) => {
      const bids = isId(request.params.id)
        ? await readBids(ctx.db, request.params.id, { below: null, limit: 1 })
        : undefined
      if (!bids) throw missing('auction')
      return { leader: bids[0]?.maskedBidder ?? null }
    },
  )
}
