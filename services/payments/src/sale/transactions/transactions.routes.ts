import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { listTransactions } from './list-transactions.ts'
import { ListedTransaction, toListedTransaction } from './transaction.view.ts'

export function transactionsRoutes(app: PublicApp, ctx: Context): void {
  const response = routeResponses({ 200: z.array(ListedTransaction) })
  app.get('/api/transactions', { schema: { response } }, async (request) => {
    const transactions = await listTransactions(ctx, callerOf(request).userId)
    return transactions.map(toListedTransaction)
  })
}
