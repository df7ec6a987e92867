import { newId } from '@marketplace/kit/ids.ts'
import { conflict, missing, unavailable } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { advance, type Progress } from './advance.ts'
import { grantedSale } from './hold-item.ts'
import type { Intent } from './intent.ts'
import type { Sale } from './sale.ts'
import { findLiveSale, findNewestSale, insertNewSale, insertPendingSale, readSale, type SaleOf } from './sales.repo.ts'

export interface Checkout {
  sale: Sale
  intent: Intent
}

// A sale that ends under the buyer's hands (its time was over, another press was refused) is followed by a fresh one.
const maxSales = 5

/** Reserves the item for this buyer and answers the intent to pay it with; asked again, the same one. */
export function startCheckout(ctx: Context, ask: SaleOf): Promise<Checkout> {
  return ask.type === 'buy_now' ? buyNow(ctx, ask) : payPendingSale(ctx, ask)
}

async function buyNow(ctx: Context, ask: SaleOf): Promise<Checkout> {
  for (let count = 0; count < maxSales; count++) {
    const sale = await joinSale(ctx, ask)
    const checkout = sale && toCheckout(await advance(ctx, sale.id, 'pay'))
    if (checkout) return checkout
  }
  throw unavailable('This item')
}

// The buyer's live sale of the listing, else a new one; undefined when one ended in between.
async function joinSale(ctx: Context, ask: SaleOf): Promise<Sale | undefined> {
  const find = () => findLiveSale(ctx.db, ask)
  const sale = (await find()) ?? (await insertNewSale(ctx.db, ask, ctx.settings.NEW_GRACE_MS)) ?? (await find())
  if (sale?.type === 'auction_win') throw conflict('not_buyable', 'This item was sold by auction.')
  return sale
}

async function payPendingSale(ctx: Context, ask: SaleOf): Promise<Checkout> {
  const sale = (await findNewestSale(ctx.db, ask)) ?? (await askForWin(ctx, ask))
  const checkout = toCheckout(await advance(ctx, sale.id, 'pay'))
  if (!checkout) throw missing('transaction')
  return checkout
}

// The event that tells of the win may still be on its way: its owner knows. The id is of no sale, so that none is made.
async function askForWin(ctx: Context, ask: SaleOf): Promise<Sale> {
  if (ask.type !== 'auction_win') throw missing('transaction')
  const answer = await ctx.owners.hold({ ...ask, id: newId(), owner: 'auction' })
  if (answer.kind === 'refused') throw answer.problem
  const sale = grantedSale({ ...ask, owner: 'auction' }, answer.grant)
  await insertPendingSale(ctx.db, sale)
  return readSale(ctx.db, sale.id)
}

// Undefined when the sale was released for no reason that this buyer can act on.
function toCheckout({ sale, intent, problem }: Progress): Checkout | undefined {
  switch (sale.state) {
    case 'payable':
      return intent ? { sale, intent } : undefined
    case 'releasing':
      throw conflict('reserved', 'Your last checkout of this item is still being cancelled. Please try again shortly.')
    case 'paid':
    case 'refunding':
    case 'refunded':
      throw conflict('already_paid', 'You have paid for this item already.')
    case 'new':
    case 'held':
    case 'released':
      break
  }
  if (problem) throw problem
  return undefined
}
