import { ApiError, errorText } from '../../../api/client/http.ts'

/**
 * A bid far above the current price, which the server accepts only after the user's confirmation. Amounts are in cents.
 */
export interface FarJump {
  amount: number
  /** The current bid. Null before the first bid. */
  currentBid: number | null
  /** Null if the response does not contain this amount. */
  shipping: number | null
  fee: number | null
  total: number
}

function numberOf({ fields }: ApiError, name: string): number | null {
  const value = fields.get(name)
  return typeof value === 'number' ? value : null
}

/** Returns the bid in a `confirmation_needed` error; null for any other error. */
export function farJumpOf(error: unknown): FarJump | null {
  if (!(error instanceof ApiError) || error.code !== 'confirmation_needed') return null
  const [amount, total] = [numberOf(error, 'amount'), numberOf(error, 'total')]
  if (amount === null || total === null) return null
  const [shipping, fee] = [numberOf(error, 'shipping_cost'), numberOf(error, 'transaction_fee')]
  return { amount, currentBid: numberOf(error, 'current_bid'), shipping, fee, total }
}

/** Returns the message of a failed bid. Returns null if there is no error or it only asks for a confirmation. */
export function bidRefusalText(error: Error | null): string | null {
  if (error === null || farJumpOf(error) !== null) return null
  return errorText(error, 'Failed to place bid')
}
