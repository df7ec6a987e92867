/**
 * Why a refund was made. `not_available`: the item of a paid sale was not available. `provider`: a person made the
 * refund in the card provider's dashboard.
 */
export type RefundOrigin = 'not_available' | 'provider'
export type RefundState = 'owed' | 'pending' | 'succeeded' | 'dropped'

/** A stored refund of a sale; `amount` is in cents. */
export interface Refund {
  id: string
  amount: number
  state: RefundState
  /**
   * The provider's id for the refund. Null until the provider has made the refund, and again after the refund has
   * failed.
   */
  providerId: string | null
  /** Whether an operator must examine the refund, because it failed too often or takes too long. */
  isStuck: boolean
  /** Number of failed attempts after which the refund is no longer requested. */
  attemptsAllowed: number
}

/** A refund as returned by the provider. The amount is in cents. */
export interface ProviderRefund {
  id: string
  amount: number
  status: 'succeeded' | 'pending' | 'failed'
}

export type RefundChange =
  // The provider made owed refunds, oldest first. If the provider refunded only a part, the rest stays owed.
  | { kind: 'take'; owed: readonly Refund[]; made: ProviderRefund }
  // The provider made a refund that this service did not request.
  | { kind: 'add'; made: ProviderRefund }
  | { kind: 'succeed'; refund: Refund; made: ProviderRefund }
  | { kind: 'fail'; refund: Refund; made: ProviderRefund }

export const refundChanges = ['take', 'add', 'succeed', 'fail'] as const satisfies readonly RefundChange['kind'][]

/**
 * Returns the next change that is needed to make a sale's stored refunds match the provider's refunds; undefined if
 * they match.
 */
export function nextRefundChange(
  refunds: readonly Refund[],
  made: readonly ProviderRefund[],
): RefundChange | undefined {
  for (const one of made) {
    const refund = refunds.find(({ providerId }) => providerId === one.id)
    const change = refund ? changeOfKnown(refund, one) : changeOfUnknown(refunds, one)
    if (change) return change
  }
  return undefined
}

function changeOfKnown(refund: Refund, made: ProviderRefund): RefundChange | undefined {
  if (made.status === 'failed') return { kind: 'fail', refund, made }
  return made.status === 'succeeded' && refund.state === 'pending' ? { kind: 'succeed', refund, made } : undefined
}

function changeOfUnknown(refunds: readonly Refund[], made: ProviderRefund): RefundChange | undefined {
  if (made.status === 'failed') return undefined
  const owed = refunds.filter(({ state }) => state === 'owed')
  const covering = owed.find(({ amount }) => amount >= made.amount)
  if (covering) return { kind: 'take', owed: [covering], made }
  return owed.length > 0 ? { kind: 'take', owed, made } : { kind: 'add', made }
}

/** Returns whether the refunds, including owed refunds, cover `amount`, in cents. */
export function isFull(refunds: readonly Refund[], amount: number): boolean {
  return refunds.reduce((sum, refund) => sum + (refund.state === 'dropped' ? 0 : refund.amount), 0) >= amount
}
