import { newId } from '@marketplace/kit/values/ids.ts'
import { conflict, missing, unavailable } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import { advance, type Progress } from '../advance.ts'
import type { Intent } from '../intent.ts'
import { registerSale, toPendingSale, withConflictRetry } from '../register-sale.ts'
import { statusOf, type InventoryService, type Sale, type SaleType } from '../sale.ts'
import { findLiveSale, findNewestSale, type NewSaleRequest, type SaleRequest } from '../sales.repo.ts'
import { openSale } from './open-sale.ts'

export interface Checkout {
  sale: Sale
  intent: Intent
}

// Maximum number of attempts in one checkout request. If the sale ends during an attempt, for example because it
// expires, the next attempt uses another sale.
const maxAttempts = 10

const inventoryServiceByType: Record<SaleType, InventoryService> = {
  buy_now: 'catalog',
  auction_win: 'auction',
  offer_accepted: 'catalog',
}

/** Holds the item for the buyer and returns the sale with the payment intent. Repeated calls return the same intent. */
export function startCheckout(ctx: Context, requested: Omit<NewSaleRequest, 'inventoryService'>): Promise<Checkout> {
  const request = { ...requested, inventoryService: inventoryServiceByType[requested.type] }
  return requested.type === 'buy_now' ? buyNow(ctx, request) : payPendingSale(ctx, request)
}

/** Starts a checkout at an auction's buy-it-now price. Otherwise works like `startCheckout`. */
export function buyAuction(
  ctx: Context,
  request: Pick<NewSaleRequest, 'listingId' | 'buyerId' | 'listingVersion'>,
): Promise<Checkout> {
  return buyNow(ctx, { ...request, type: 'buy_now', inventoryService: 'auction' })
}

async function buyNow(ctx: Context, request: NewSaleRequest): Promise<Checkout> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const sale = await findOrCreateSale(ctx, request)
    const checkout = sale && toCheckout(await advance(ctx, sale.id, 'pay'))
    if (checkout) return checkout
  }
  throw unavailable('This item')
}

// Returns the buyer's unfinished sale of the listing or, if there is none, a new sale. Returns undefined if the sale
// ended during the call; the caller then tries again.
async function findOrCreateSale(ctx: Context, request: NewSaleRequest): Promise<Sale | undefined> {
  const find = () => findLiveSale(ctx.db, request)
  const sale = (await find()) ?? (await openSale(ctx, request)) ?? (await find())
  if (!sale || isRequestedSale(sale, request)) return sale
  if (sale.state !== 'new') throw wrongKindConflict(request)
  // The buyer already has a sale of this item that does not fit the request. Cancels that sale, so that the caller's
  // next attempt can create the requested sale.
  await advance(ctx, sale.id, 'cancel')
  return undefined
}

// Returns whether an existing sale fits the request. An accepted offer also fits a `buy_now` request; the buyer then
// pays the price of the offer.
function isRequestedSale({ inventoryService, type }: Sale, request: SaleRequest): boolean {
  return inventoryService === request.inventoryService && type !== 'auction_win'
}

function wrongKindConflict({ inventoryService }: SaleRequest) {
  return inventoryService === 'auction'
    ? conflict('not_buyable', 'This item is not available for immediate purchase.')
    : conflict('wrong_kind', 'This item is sold by auction.')
}

async function payPendingSale(ctx: Context, request: SaleRequest): Promise<Checkout> {
  const newest = await findNewestSale(ctx.db, request)
  const needsNewSale = !newest || statusOf(newest.state) === 'cancelled'
  const saleId = needsNewSale ? await requestPendingSale(ctx, request) : newest.id
  const checkout = toCheckout(await advance(ctx, saleId, 'pay'))
  if (!checkout) throw missing('transaction')
  return checkout
}

// Reads the buyer's pending sale (a won auction or an accepted offer) from the inventory service, stores the sale and
// returns its id. Needed if the buyer pays before the event that announces the sale has arrived.
async function requestPendingSale(ctx: Context, request: SaleRequest): Promise<string> {
  // The result contains the sale that the inventory service has already created, so the new id is not used.
  const result = await ctx.inventory.hold({ ...request, id: newId(), listingVersion: null })
  if (result.kind === 'rejected') throw result.error
  const sale = toPendingSale(request, result.grant, ctx.settings)
  if (sale.type !== request.type) throw missing('transaction')
  await withConflictRetry(ctx, (trx) => registerSale(trx, sale, ctx.settings))
  return sale.id
}

// Returns the checkout, or undefined if the sale has ended and there is no error to report. Throws if the sale is paid,
// is still being cancelled or was ended by an error.
function toCheckout({ sale, intent, rejection }: Progress): Checkout | undefined {
  switch (sale.state) {
    case 'payable':
      return intent ? { sale, intent } : undefined
    case 'releasing':
      throw conflict(
        'reserved',
        'Your previous checkout of this item is still being canceled. Please try again shortly.',
      )
    case 'paid':
      throw conflict('already_paid', 'You have paid for this item already.')
    case 'new':
    case 'held':
    case 'released':
    case 'refunding':
    case 'refunded':
      break
  }
  // `sale_over` is not thrown: a concurrent request of this buyer has ended the sale, so a new sale can be tried.
  if (rejection && rejection.code !== 'sale_over') throw rejection
  return undefined
}
