import { expandPicture } from '@marketplace/contracts/pictures.ts'
import { Cents, cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import type { TransactionForUser } from './list-transactions.ts'
import { releaseReasons, statusOf, termsOf, type Sale } from '../sale.ts'

export const TransactionType = z.enum(['buy_now', 'auction_win', 'offer_accepted'])
const Status = z.enum(['pending', 'completed', 'cancelled'])

/** The fields of a transaction that do not depend on the user's role (buyer or seller). */
export const Transaction = z
  .strictObject({
    id: z.uuidv7(),
    listing_id: z.uuidv7(),
    buyer_id: z.uuidv7(),
    seller_id: z.uuidv7(),
    sale_price: Cents,
    transaction_fee: Cents,
    seller_amount: Cents,
    transaction_type: TransactionType,
    status: Status,
    payment_method: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Transaction' })

/** A transaction in the list of its buyer or seller. Fields such as `total` depend on the user's role. */
export const ListedTransaction = z
  .strictObject({
    id: z.uuidv7(),
    listing_id: z.uuidv7(),
    listing_title: z.string(),
    listing_image_url: z.string().nullable(),
    user_role: z.enum(['buyer', 'seller']),
    transaction_type: TransactionType,
    status: Status,
    sale_price: Cents,
    transaction_fee: Cents,
    seller_amount: Cents,
    shipping_cost: Cents,
    // A buyer sees the amount that was charged. A seller sees `seller_amount` plus shipping.
    total: Cents,
    // Amount that the buyer got back or is owed, including lost disputes, in cents.
    refunded_amount: Cents,
    // Whether the buyer's bank is reviewing the payment.
    is_disputed: z.boolean(),
    // Whether the refund failed too often or takes too long, so that an operator must examine it.
    is_refund_delayed: z.boolean(),
    // Why a won auction or accepted offer was released without payment, for example `unpaid`; null in every other case.
    release_reason: z.enum(releaseReasons).nullable(),
    other_user_name: z.string().nullable(),
    pay_by: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ListedTransaction' })

export function toTransaction(sale: Sale): z.output<typeof Transaction> {
  const { sellerId, price, fee, sellerAmount } = termsOf(sale)
  return {
    id: sale.id,
    listing_id: sale.listingId,
    buyer_id: sale.buyerId,
    seller_id: sellerId,
    sale_price: price,
    transaction_fee: fee,
    seller_amount: sellerAmount,
    transaction_type: sale.type,
    status: statusOf(sale.state),
    payment_method: sale.paymentMethod,
    created_at: sale.createdAt.toISOString(),
    updated_at: sale.updatedAt.toISOString(),
  }
}

export function toListedTransaction(
  { sale, role, counterpartyName, isRefundDelayed }: TransactionForUser,
  picturesOrigin: string | undefined,
): z.output<typeof ListedTransaction> {
  const { title, imageUrl, price, fee, sellerAmount, shipping, amount } = termsOf(sale)
  const hasToPay = role === 'buyer' && (sale.state === 'held' || sale.state === 'payable')
  return {
    id: sale.id,
    listing_id: sale.listingId,
    listing_title: title,
    listing_image_url: imageUrl && expandPicture(imageUrl, picturesOrigin),
    user_role: role,
    transaction_type: sale.type,
    status: statusOf(sale.state),
    sale_price: price,
    transaction_fee: fee,
    seller_amount: sellerAmount,
    shipping_cost: shipping,
    total: role === 'buyer' ? amount : cents(sellerAmount + shipping),
    refunded_amount: cents(Math.min(amount, sale.refundedAmount + sale.chargedBackAmount)),
    is_disputed: sale.isDisputed,
    is_refund_delayed: isRefundDelayed,
    release_reason: sale.state === 'released' ? sale.reason : null,
    other_user_name: counterpartyName,
    pay_by: hasToPay ? sale.expiresAt.toISOString() : null,
    created_at: sale.createdAt.toISOString(),
  }
}
