import { feeOf, formatRate, totalOf } from '@marketplace/contracts/fee.ts'
import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../api/queries/queries.ts'

/** Amounts of a purchase in cents. `fee` and `total` are null until the marketplace fee's rate is loaded. */
export interface Amounts {
  itemPrice: number
  shipping: number
  fee: number | null
  total: number | null
}

/** Returns the expected amounts of a purchase for which no transaction exists yet. */
export function usePreview({ itemPrice, shipping }: Pick<Amounts, 'itemPrice' | 'shipping'>): Amounts {
  const rate = useQuery(paymentConfigQuery).data?.fee_basis_points
  if (rate === undefined) return { itemPrice, shipping, fee: null, total: null }
  return { itemPrice, shipping, fee: feeOf(itemPrice, rate), total: totalOf(itemPrice, shipping, rate) }
}

/** Returns the label of the marketplace fee, without the rate if the fee was computed with an earlier rate. */
export function useFeeLabel({ itemPrice, fee }: Pick<Amounts, 'itemPrice' | 'fee'>): string {
  const rate = useQuery(paymentConfigQuery).data?.fee_basis_points
  return rate !== undefined && feeOf(itemPrice, rate) === fee
    ? `Marketplace Fee (${formatRate(rate)})`
    : 'Marketplace Fee'
}
