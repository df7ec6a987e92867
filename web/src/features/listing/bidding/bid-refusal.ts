import { ApiError, errorText } from '../../../api/client/http.ts'
import { formatCents } from '../../../rules/money.ts'
import { monthAndDay } from '../../../rules/time.ts'

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

/**
 * Builds the message for a rejected bid from fields of the response, such as the highest possible bid. Returns null if
 * a field is missing or the error code has no such message.
 */
function sentenceFor({ code, fields }: ApiError): string | null {
  const [highest, limit, until] = ['highest_bid', 'limit', 'until'].map((name) => fields.get(name))
  if (code === 'not_chargeable' && typeof highest === 'number')
    return `That's more than a card can be charged. The highest possible bid is ${formatCents(highest)}.`
  if (code === 'exposure_limit' && typeof limit === 'number')
    return `Until your first purchase, your bids and unpaid wins can total up to ${formatCents(limit)}.`
  if (code === 'bidding_suspended' && typeof until === 'string')
    return `You can't bid until ${monthAndDay(new Date(until))}: you didn't pay for three wins within 90 days.`
  return null
}

/** Returns the message of a failed bid. Returns null if there is no error or it only asks for a confirmation. */
export function bidRefusalText(error: Error | null): string | null {
  if (error === null || farJumpOf(error) !== null) return null
  const sentence = error instanceof ApiError ? sentenceFor(error) : null
  return sentence ?? errorText(error, 'Failed to place bid')
}
