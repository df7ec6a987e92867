import { cents } from '@marketplace/kit/money.ts'
import { sql } from 'kysely'
import type { SaleRow } from '../db.ts'
import type { Sale, Terms } from './sale.ts'

/** By the database's clock; a sale that is due stays so, so the read needs no lock. */
export const isDue = sql<boolean>`expires_at <= clock_timestamp()`.as('is_due')

export function after(ms: number) {
  return sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`
}

export function toSale(row: SaleRow & { is_due: boolean }): Sale {
  return {
    id: row.id,
    listingId: row.listing_id,
    buyerId: row.buyer_id,
    type: row.transaction_type,
    owner: row.owner,
    state: row.state,
    terms: toTerms(row),
    intentId: row.intent_id,
    paymentMethod: row.payment_method,
    reason: row.reason,
    version: row.version,
    faults: row.faults,
    expiresAt: row.expires_at,
    isDue: row.is_due,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toTerms(row: SaleRow): Terms | null {
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
    fee: cents(fee),
    sellerAmount: cents(sellerAmount),
    amount: cents(amount),
  }
}

export function termColumns(terms: Terms) {
  return {
    seller_id: terms.sellerId,
    listing_title: terms.title,
    listing_image_url: terms.imageUrl,
    sale_price: terms.price,
    shipping_cost: terms.shipping,
    transaction_fee: terms.fee,
    seller_amount: terms.sellerAmount,
    amount: terms.amount,
  }
}
