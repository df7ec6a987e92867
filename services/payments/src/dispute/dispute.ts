/**
 * One of the provider's balance transactions for a dispute. `amount`, in cents and without the fee, is negative if the
 * provider withdrew money and positive if the provider returned money.
 */
export interface Movement {
  id: string
  amount: number
  /** The provider's fee for the dispute, in cents; negative if the fee was returned. */
  fee: number
}

/** A dispute as returned by the provider; `amount` is in cents. */
export interface ProviderDispute {
  id: string
  amount: number
  reason: string
  /** The provider's status. A status that is unknown to this service is treated as open. */
  status: string
  dueBy: Date | null
  movements: readonly Movement[]
}

/** A stored dispute; `chargedBack` is in cents. */
export interface Dispute {
  state: string
  chargedBack: number
  isClosed: boolean
}

export const disputeChanges = ['opened', 'withdrawn', 'reinstated', 'ended', 'lost', 'won_after_loss'] as const
export type DisputeChange = (typeof disputeChanges)[number]

const ended = new Set(['won', 'lost', 'warning_closed', 'prevented'])

export function isOpen(status: string): boolean {
  return !ended.has(status)
}

/** Returns the amount that the provider has withdrawn for the dispute and not returned, in cents. */
export function withdrawnBy({ movements }: Pick<ProviderDispute, 'movements'>): number {
  return movements.reduce((sum, { amount }) => sum - amount, 0)
}

/**
 * Returns whether no further change of the dispute is expected. Checks the status and the movements, because the
 * provider can withdraw or return the money after it has set the final status.
 */
export function isSettled(dispute: Pick<ProviderDispute, 'status' | 'movements'>): boolean {
  if (isOpen(dispute.status)) return false
  return dispute.status === 'lost' ? withdrawnBy(dispute) > 0 : withdrawnBy(dispute) <= 0
}

/**
 * Returns whether the provider rejects refunds of the charge because of the dispute. It makes them during an inquiry
 * (status `warning_…`) and after a won dispute.
 */
export function blocksRefunds({ state, isClosed }: Pick<Dispute, 'state' | 'isClosed'>): boolean {
  return !isClosed && state !== 'won' && !state.startsWith('warning_')
}

/**
 * Returns whether `made` is an outdated read of the ended dispute `known`. An appeal (status `appeal_…`) is not
 * outdated, because an appeal reopens an ended dispute. A closed inquiry that became a dispute is not outdated either.
 */
export function isStale(known: Pick<Dispute, 'state'>, made: Pick<ProviderDispute, 'status'>): boolean {
  const isEscalated = known.state === 'warning_closed' && !made.status.startsWith('warning_')
  return !isOpen(known.state) && isOpen(made.status) && !made.status.startsWith('appeal_') && !isEscalated
}

/** Returns whether the disputes `made` are outdated: they lack a balance transaction of the ledger (`posted`). */
export function isOlderRead(made: readonly ProviderDispute[], posted: ReadonlySet<string | null>): boolean {
  const read = new Set<string | null>(made.flatMap(({ movements }) => movements.map(({ id }) => id)))
  return [...posted].some((id) => !read.has(id))
}
