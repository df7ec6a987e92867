import { newId } from '@marketplace/kit/ids.ts'
import { conflict, missing, unavailable } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { admitSale, admitting } from './admit-sale.ts'
import { advance, type Progress } from './advance.ts'
import { grantedSale } from './hold-item.ts'
import type { Intent } from './intent.ts'
import { statusOf, type Sale, type SaleOwner, type SaleType } from './sale.ts'
import { findLiveSale, findNewestSale, insertNewSale, type SaleOf } from './sales.repo.ts'

export interface Checkout {
  sale: Sale
  intent: Intent
}

// A sale that ends under the buyer's hands (its time was over, another press was refused) is followed by a fresh one.
const maxSales = 10

const ownerOfType: Record<SaleType, SaleOwner> = {
  buy_now: 'catalog',
  auction_win: 'auction',
  offer_accepted: 'catalog',
}

/** Reserves the item for this buyer and answers the intent to pay it with; asked again, the same one. */
export function startCheckout(ctx: Context, ask: Omit<SaleOf, 'owner'>): Promise<Checkout> {
  const owned = { ...ask, owner: ownerOfType[ask.type] }
  return ask.type === 'buy_now' ? buyNow(ctx, owned) : payPendingSale(ctx, owned)
}

/** The same for an auction that can be bought at once. */
export function buyAuction(ctx: Context, ask: Pick<SaleOf, 'listingId' | 'buyerId'>): Promise<Checkout> {
  return buyNow(ctx, { ...ask, type: 'buy_now', owner: 'auction' })
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
  if (!sale || isSought(sale, ask)) return sale
  if (sale.state !== 'new') throw wrongKind(ask)
  // Asked for as another kind of item, and never answered.
  await advance(ctx, sale.id, 'cancel')
  return undefined
}

// Whoever has an accepted offer goes on with that.
function isSought({ owner, type }: Sale, ask: SaleOf): boolean {
  return owner === ask.owner && type !== 'auction_win'
}

function wrongKind({ owner }: SaleOf) {
  return owner === 'auction'
    ? conflict('not_buyable', 'This item cannot be bought at once.')
    : conflict('wrong_kind', 'This item is sold by auction.')
}

async function payPendingSale(ctx: Context, ask: SaleOf): Promise<Checkout> {
  const known = await findNewestSale(ctx.db, ask)
  const isOver = !known || statusOf(known.state) === 'cancelled'
  const saleId = isOver ? await askOwner(ctx, ask) : known.id
  const checkout = toCheckout(await advance(ctx, saleId, 'pay'))
  if (!checkout) throw missing('transaction')
  return checkout
}

// The event that tells of the sale may still be on its way: its owner knows. The id is of no sale, so that none is made.
async function askOwner(ctx: Context, ask: SaleOf): Promise<string> {
  const answer = await ctx.owners.hold({ ...ask, id: newId() })
  if (answer.kind === 'refused') throw answer.problem
  const sale = grantedSale(ask, answer.grant)
  if (sale.type !== ask.type) throw missing('transaction')
  await admitting(ctx, (trx) => admitSale(trx, sale, ctx.settings))
  return sale.id
}

// Undefined when the sale was released for no reason that this buyer can act on.
function toCheckout({ sale, intent, problem }: Progress): Checkout | undefined {
  switch (sale.state) {
    case 'payable':
      return intent ? { sale, intent } : undefined
    case 'releasing':
      throw conflict('reserved', 'Your last checkout of this item is still being cancelled. Please try again shortly.')
    case 'paid':
      throw conflict('already_paid', 'You have paid for this item already.')
    case 'new':
    case 'held':
    case 'released':
    case 'refunding':
    case 'refunded':
      break
  }
  // The same buyer's press at the same time was refused, and ended this sale: a fresh one hears why.
  if (problem && problem.code !== 'sale_over') throw problem
  return undefined
}
