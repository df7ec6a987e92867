import { conflict, missing } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { advance } from './advance.ts'
import { tellOwner } from './end-sale.ts'
import type { Sale } from './sale.ts'
import { findSaleOfIntent } from './sales.repo.ts'

export interface IntentOf {
  intentId: string
  buyerId: string
}

/** The browser says that it paid: the provider is asked, and the sale completed at once. */
export async function confirmPayment(ctx: Context, { intentId, buyerId }: IntentOf): Promise<Sale> {
  const { sale } = await advance(ctx, await ownSaleId(ctx, intentId, buyerId), 'look')
  switch (sale.state) {
    case 'paid':
      // The webhook may have booked it just before and still be telling the owner: the buyer's next read shows it sold.
      await tellOwner(ctx, sale)
      return sale
    case 'refunding':
    case 'refunded':
      throw conflict('refunded', 'This item was no longer available. Your payment is returned to you.')
    case 'new':
    case 'held':
    case 'payable':
    case 'releasing':
    case 'released':
      break
  }
  throw conflict('not_paid', 'This payment has not succeeded.')
}

/** The buyer gave up. The item is free once the provider has cancelled; until then the sale is pending. */
export async function cancelCheckout(ctx: Context, { intentId, buyerId }: IntentOf): Promise<Sale> {
  const { sale } = await advance(ctx, await ownSaleId(ctx, intentId, buyerId), 'cancel')
  if (sale.state === 'paid') throw conflict('already_paid', 'This payment has succeeded already.')
  return sale
}

async function ownSaleId(ctx: Context, intentId: string, buyerId: string): Promise<string> {
  const sale = await findSaleOfIntent(ctx.db, intentId)
  if (sale?.buyerId !== buyerId) throw missing('payment')
  return sale.id
}
