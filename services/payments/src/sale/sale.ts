import { cents, feeOf, type Cents } from '@marketplace/kit/money.ts'

export type SaleState = 'new' | 'held' | 'payable' | 'releasing' | 'paid' | 'released' | 'refunding' | 'refunded'
export type SaleType = 'buy_now' | 'auction_win' | 'offer_accepted'
export type SaleOwner = 'catalog' | 'auction'
export type SaleStatus = 'pending' | 'completed' | 'cancelled'
export type ReleaseReason = 'cancelled' | 'expired' | 'unpaid' | 'not_chargeable' | 'refused'

/** What an owner says an item is sold for. */
export interface OfferedTerms {
  sellerId: string
  title: string
  imageUrl: string | null
  price: Cents
  shipping: Cents
}

/** Terms with what follows from them. */
export interface Terms extends OfferedTerms {
  fee: Cents
  sellerAmount: Cents
  amount: Cents
}

export interface Sale {
  id: string
  listingId: string
  buyerId: string
  type: SaleType
  owner: SaleOwner
  state: SaleState
  /** Null until the item is held. */
  terms: Terms | null
  intentId: string | null
  paymentMethod: string | null
  reason: ReleaseReason | null
  version: number
  /** How often the provider failed for good at the step at hand; each key it was asked with answers that again. */
  faults: number
  expiresAt: Date
  /** Whether `expiresAt` had passed by the database's clock when the sale was read. */
  isDue: boolean
  createdAt: Date
  updatedAt: Date
}

/** What the one who advances a sale is after: to be able to pay, to give up, or only to see what is true. */
export type Wish = 'pay' | 'cancel' | 'look'

export type Step =
  | 'hold'
  | 'open-intent'
  | 'seek-intent'
  | 'read-intent'
  | 'cancel-intent'
  | 'start-release'
  | 'release'
  | 'refund'
  | 'rest'

/** The way on for a sale in this state; the diagram is in the README. */
export function nextStep(sale: Pick<Sale, 'state' | 'type' | 'isDue' | 'intentId' | 'faults'>, wish: Wish): Step {
  const isOver = sale.isDue || (wish === 'cancel' && sale.type === 'buy_now')
  switch (sale.state) {
    case 'new':
      if (isOver) return 'release'
      return wish === 'pay' ? 'hold' : 'rest'
    case 'held':
      // A fault may hide an intent.
      if (isOver) return sale.faults > 0 ? 'seek-intent' : 'release'
      return wish === 'pay' ? 'open-intent' : 'rest'
    case 'payable':
      if (isOver) return 'start-release'
      // Closing the dialog of a win changes nothing.
      return wish === 'cancel' ? 'rest' : 'read-intent'
    case 'releasing':
      return 'cancel-intent'
    case 'released':
      return wish === 'look' && sale.intentId !== null ? 'read-intent' : 'rest'
    case 'refunding':
      return wish === 'look' ? 'refund' : 'rest'
    case 'paid':
    case 'refunded':
      break
  }
  return 'rest'
}

const statuses: Record<SaleState, SaleStatus> = {
  new: 'pending',
  held: 'pending',
  payable: 'pending',
  releasing: 'pending',
  paid: 'completed',
  released: 'cancelled',
  refunding: 'cancelled',
  refunded: 'cancelled',
}

export function statusOf(state: SaleState): SaleStatus {
  return statuses[state]
}

/** A = P + S + F for the buyer, P − F for the seller. */
export function priced(offered: OfferedTerms): Terms {
  const { price, shipping } = offered
  const fee = feeOf(price)
  return { ...offered, fee, sellerAmount: cents(price - fee), amount: cents(price + shipping + fee) }
}

/** Why a sale whose time is over, or whose buyer gave up, is released. */
export function lapseReason({ type, isDue }: Pick<Sale, 'type' | 'isDue'>): ReleaseReason {
  if (type !== 'buy_now') return 'unpaid'
  return isDue ? 'expired' : 'cancelled'
}

/** The terms of a sale that has been held; asking earlier is a bug. */
export function termsOf(sale: Sale): Terms {
  if (sale.terms === null) throw new Error(`Sale ${sale.id} has no terms in state ${sale.state}.`)
  return sale.terms
}

/** The key of an outside call, the same until the provider has failed for good under it. */
export function keyOf(sale: Pick<Sale, 'id'>, call: 'intent' | 'refund', faults: number): string {
  return faults === 0 ? `${sale.id}:${call}` : `${sale.id}:${call}:${faults}`
}

export function intentIdOf(sale: Sale): string {
  if (sale.intentId === null) throw new Error(`Sale ${sale.id} has no intent in state ${sale.state}.`)
  return sale.intentId
}
