import { Cents } from '@marketplace/kit/money.ts'
import { z } from 'zod'
import type { SeenSale } from './list-transactions.ts'
import { statusOf, termsOf, type Sale } from './sale.ts'
import type { Checkout } from './start-checkout.ts'

export const TransactionType = z.enum(['buy_now', 'auction_win', 'offer_accepted'])
const Status = z.enum(['pending', 'completed', 'cancelled'])

export const PaymentIntent = z
  .strictObject({
    client_secret: z.string(),
    amount: Cents,
    sale_price: Cents,
    transaction_fee: Cents,
    shipping_cost: Cents,
    payment_intent_id: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'PaymentIntent' })

/** As it is stored. */
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

/** As one of its two sides sees it. */
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
    other_user_name: z.string().nullable(),
    pay_by: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ListedTransaction' })

export function toPaymentIntent({ sale, intent }: Checkout): z.output<typeof PaymentIntent> {
  const { amount, price, fee, shipping } = termsOf(sale)
  return {
    client_secret: intent.clientSecret,
    amount,
    sale_price: price,
    transaction_fee: fee,
    shipping_cost: shipping,
    payment_intent_id: intent.id,
    expires_at: sale.expiresAt.toISOString(),
  }
}

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

export function toListedTransaction({ sale, role, otherName }: SeenSale): z.output<typeof ListedTransaction> {
  const { title, imageUrl, price, fee, sellerAmount } = termsOf(sale)
  const hasToPay = role === 'buyer' && (sale.state === 'held' || sale.state === 'payable')
  return {
    id: sale.id,
    listing_id: sale.listingId,
    listing_title: title,
    listing_image_url: imageUrl,
    user_role: role,
    transaction_type: sale.type,
    status: statusOf(sale.state),
    sale_price: price,
    transaction_fee: fee,
    seller_amount: sellerAmount,
    other_user_name: otherName,
    pay_by: hasToPay ? sale.expiresAt.toISOString() : null,
    created_at: sale.createdAt.toISOString(),
  }
}
