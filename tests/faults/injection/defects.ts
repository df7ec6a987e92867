/** Defects that the invariant checker has to find, each with the doubles that cause it. */
export const defects = {
  'acknowledges before the commit': ['kit/acknowledge-transaction-early', 'services/acknowledge-bids-early'],
  'writes the outbox outside the transaction': ['kit/hold-events', 'kit/publish-held-events'],
  'adds instead of sets in a consumer': ['services/add-bid-count'],
  'applies an event on every delivery': ['kit/claim-every-event'],
  'relays only events newer than the last one read': ['kit/relay-newer-only'],
  'computes the fee in floats': ['contracts/fee-in-floats'],
  'closes without the lock': ['services/close-without-lock'],
  'uses the time of the transaction’s start': ['services/bid-at-transaction-start'],
  'uses its own clock, which is behind': ['services/bid-at-own-clock'],
  // Not a defect: without it only the latest event of a batch is applied, which hides the effect of other defects.
  'applies each bid of a batch': ['kit/apply-each-event'],
  'applies a batch of events in reverse order': ['kit/apply-batch-backwards'],
  'lets an older bid replace a newer one': ['services/take-older-bid'],
  'releases a hold by a timer': ['services/release-hold-by-timer'],
  'returns a secret before its commit': ['services/return-secret-early'],
} as const satisfies Record<string, readonly string[]>

export type Defect = keyof typeof defects

/** Returns the value of DOUBLES that injects these defects into a service. */
export function doublesOf(names: readonly Defect[]): string {
  return names.flatMap((name) => defects[name]).join(',')
}
