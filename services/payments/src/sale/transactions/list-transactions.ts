import type { Context } from '../../context.ts'
import { termsOf, type Sale } from '../sale.ts'
import { listSales, type ListedSale, type SalesQuery } from './transactions.repo.ts'

/** A sale as shown to its buyer or its seller. */
export interface TransactionForUser extends ListedSale {
  role: 'buyer' | 'seller'
  /** Null while the users service is unavailable. */
  counterpartyName: string | null
}

export async function listTransactions(ctx: Context, query: SalesQuery): Promise<TransactionForUser[]> {
  const { userId } = query
  const listed = await listSales(ctx.db, query)
  const names = await ctx.names.get(listed.map(({ sale }) => counterpartyOf(sale, userId)))
  return listed.map(({ sale, ...rest }) => ({
    sale,
    ...rest,
    role: sale.buyerId === userId ? 'buyer' : 'seller',
    counterpartyName: names.get(counterpartyOf(sale, userId)) ?? null,
  }))
}

function counterpartyOf(sale: Sale, userId: string): string {
  return sale.buyerId === userId ? termsOf(sale).sellerId : sale.buyerId
}
