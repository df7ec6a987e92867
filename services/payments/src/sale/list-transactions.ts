import type { Context } from '../context.ts'
import { termsOf, type Sale } from './sale.ts'
import { listSalesOf } from './sales.repo.ts'

/** A sale as one of its two sides sees it. */
export interface SeenSale {
  sale: Sale
  role: 'buyer' | 'seller'
  /** Null while users does not answer. */
  otherName: string | null
}

export async function listTransactions(ctx: Context, userId: string): Promise<SeenSale[]> {
  const sales = await listSalesOf(ctx.db, userId)
  const names = await ctx.names.get(sales.map((sale) => otherSide(sale, userId)))
  return sales.map((sale) => ({
    sale,
    role: sale.buyerId === userId ? 'buyer' : 'seller',
    otherName: names.get(otherSide(sale, userId)) ?? null,
  }))
}

function otherSide(sale: Sale, userId: string): string {
  return sale.buyerId === userId ? termsOf(sale).sellerId : sale.buyerId
}
