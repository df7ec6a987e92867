import type { Context } from '../../context.ts'
import { termsOf, type Sale } from '../sale.ts'
import { listSalesOf } from '../sales.repo.ts'

/** A sale as shown to its buyer or its seller. */
export interface TransactionForUser {
  sale: Sale
  role: 'buyer' | 'seller'
  /** Null while the users service is unavailable. */
  counterpartyName: string | null
}

export async function listTransactions(ctx: Context, userId: string): Promise<TransactionForUser[]> {
  const sales = await listSalesOf(ctx.db, userId)
  const names = await ctx.names.get(sales.map((sale) => counterpartyOf(sale, userId)))
  return sales.map((sale) => ({
    sale,
    role: sale.buyerId === userId ? 'buyer' : 'seller',
    counterpartyName: names.get(counterpartyOf(sale, userId)) ?? null,
  }))
}

function counterpartyOf(sale: Sale, userId: string): string {
  return sale.buyerId === userId ? termsOf(sale).sellerId : sale.buyerId
}
