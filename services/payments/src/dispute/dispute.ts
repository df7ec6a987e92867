/**
 * A balance transaction of a dispute at the provider, in cents. `amount` is without the fee: negative if the provider
 * withdrew money, positive if it returned money.
 */
export interface Movement {
  id: string
  amount: number
  /** The provider's fee for the dispute; negative if it was returned. */
  fee: number
}

/** A dispute as returned by the provider; `amount` is in cents. */
export interface ProviderDispute {
  id: string
  amount: number
  reason: string
  /** The provider's status. A status that this service does not know counts as open. */
  status: string
  dueBy: Date | null
  movements: readonly Movement[]
}

/** A dispute as it is stored. */
export interface Dispute {
  state: string
  chargedBack: number
  isClosed: boolean
}

export type DisputeChange = 'opened' | 'withdrawn' | 'reinstated' | 'ended' | 'lost' | 'won_after_loss'

const ended = new Set(['won', 'lost', 'warning_closed', 'prevented'])

export function isOpen(status: string): boolean {
  return !ended.has(status)
}

/** Returns the amount that the provider has withdrawn and not returned, in cents. */
export function withdrawnBy({ movements }: Pick<ProviderDispute, 'movements'>): number {
  return movements.reduce((sum, { amount }) => sum - amount, 0)
}

/**
 * Returns whether no further change of the dispute is expected. The provider may withdraw or return the money after it
 * has set the final status, so both are checked.
 */
export function isSettled(dispute: Pick<ProviderDispute, 'status' | 'movements'>): boolean {
  if (isOpen(dispute.status)) return false
  return dispute.status === 'lost' ? withdrawnBy(dispute) > 0 : withdrawnBy(dispute) <= 0
}

/**
 * Returns whether `made`, a dispute in a provider response, is older than `known`, the stored dispute. Responses may be
 * applied out of order. Only an appeal opens an ended dispute again, with a status that starts with `appeal_`. If the
 * stored dispute has ended, any other open status is therefore older.
 */
export function isStale(known: Dispute, made: ProviderDispute): boolean {
  return !isOpen(known.state) && isOpen(made.status) && !made.status.startsWith('appeal_')
}

/**
 * Returns whether `made`, a list of a sale's disputes from the provider, is older than a list that was already applied.
 * An older list lacks a balance transaction that is already recorded in the ledger (`posted`).
 */
export function isOlderRead(made: readonly ProviderDispute[], posted: ReadonlySet<string | null>): boolean {
  const read = new Set<string | null>(made.flatMap(({ movements }) => movements.map(({ id }) => id)))
  return [...posted].some((id) => !read.has(id))
}
