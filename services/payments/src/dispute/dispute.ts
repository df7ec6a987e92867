/** Money that the provider withdrew (negative) or reinstated for a dispute: its balance transaction, in cents without fees. */
export interface Movement {
  id: string
  amount: number
}

/** A dispute as the provider has it; the amount is in cents. */
export interface ProviderDispute {
  id: string
  amount: number
  reason: string
  /** The provider's status. One that is unknown here counts as open. */
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

/** Returns what the provider has withdrawn and not reinstated, in cents. */
export function withdrawnBy({ movements }: Pick<ProviderDispute, 'movements'>): number {
  return movements.reduce((sum, { amount }) => sum - amount, 0)
}

/** Returns whether nothing more is expected. The money of an ended dispute may move after its status. */
export function isSettled(dispute: Pick<ProviderDispute, 'status' | 'movements'>): boolean {
  if (isOpen(dispute.status)) return false
  return dispute.status === 'lost' ? withdrawnBy(dispute) > 0 : withdrawnBy(dispute) <= 0
}

/** Returns whether a read is older than what is stored. A dispute is open again only for an appeal. */
export function isStale(known: Dispute, made: ProviderDispute): boolean {
  return !isOpen(known.state) && isOpen(made.status) && !made.status.startsWith('appeal_')
}
