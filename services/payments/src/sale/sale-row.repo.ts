import { cents } from '@marketplace/kit/values/money.ts'
import { sql } from 'kysely'
import type { SaleRow } from '../db.ts'
import type { Sale, TermsWithFees } from './sale.ts'

/** Whether a sale's deadline has passed by the database clock. */
export const isExpired = sql<boolean>`expires_at <= clock_timestamp()`.as('is_expired')

export function after(ms: number) {
  return sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`
}

export function toSale(row: SaleRow & { is_expired: boolean }): Sale {
  return {
    id: row.id,
    listingId: row.listing_id,
    buyerId: row.buyer_id,
    type: row.transaction_type,
    inventoryService: row.owner,
    state: row.state,
    listingVersion: row.terms_version,
    terms: toTerms(row),
    intentId: row.intent_id,
    paymentMethod: row.payment_method,
    refundedAmount: toRefundedAmount(row),
    chargedBackAmount: row.charged_back_cents,
    isDisputed: row.is_disputed,
    reason: row.reason,
    version: row.version,
    failedAttempts: row.faults,
    expiresAt: row.expires_at,
    isExpired: row.is_expired,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

// Returns the refunded amount in cents. A refunded sale without a stored amount was refunded in full by an earlier
// version of this service.
function toRefundedAmount({
  state,
  refunded_cents: refunded,
  charged_back_cents: chargedBack,
  amount,
}: SaleRow): number {
  const isFull = state === 'refunding' || state === 'refunded'
  return refunded === 0 && chargedBack === 0 && isFull ? (amount ?? 0) : refunded
}

function toTerms(row: SaleRow): TermsWithFees | null {
  const { seller_id: sellerId, listing_title: title, sale_price: price, shipping_cost: shipping } = row
  const { transaction_fee: fee, seller_amount: sellerAmount, amount } = row
  const hasTerms = sellerId !== null && title !== null && price !== null && shipping !== null
  if (!hasTerms || fee === null || sellerAmount === null || amount === null) return null
  return {
    sellerId,
    title,
    imageUrl: row.listing_image_url,
    price: cents(price),
    shipping: cents(shipping),
    termsVersion: row.terms_version ?? undefined,
    feeBasisPoints: row.fee_basis_points,
    fee: cents(fee),
    sellerAmount: cents(sellerAmount),
    amount: cents(amount),
  }
}

export function termColumns(terms: TermsWithFees) {
  return {
    seller_id: terms.sellerId,
    listing_title: terms.title,
    listing_image_url: terms.imageUrl,
    sale_price: terms.price,
    shipping_cost: terms.shipping,
    terms_version: terms.termsVersion ?? null,
    fee_basis_points: terms.feeBasisPoints,
    transaction_fee: terms.fee,
    seller_amount: terms.sellerAmount,
    amount: terms.amount,
  }
}
