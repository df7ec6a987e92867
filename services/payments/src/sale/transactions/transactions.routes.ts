import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { page, pageParameters, readCursor, TimeCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { listTransactions } from './list-transactions.ts'
import { ListedTransaction, toListedTransaction } from './transaction.view.ts'

const Query = querySchema({ ...pageParameters, listing_id: Id.optional() })

export function transactionsRoutes(app: PublicApp, ctx: Context): void {
  const response = routeResponses({ 200: z.array(ListedTransaction) })
  app.get('/api/transactions', { schema: { querystring: Query, response } }, async (request, reply) => {
    const { limit, cursor, listing_id: listingId = null } = request.query
    const rows = await listTransactions(ctx, {
      userId: callerOf(request).userId,
      listingId,
      after: readCursor(TimeCursor, cursor),
      limit: limit + 1,
    })
    return page(request, reply, {
      rows,
      limit,
      toView: (row) => toListedTransaction(row, ctx.settings.PICTURES_ORIGIN),
      positionOf: ({ position }) => position,
    })
  })
}
