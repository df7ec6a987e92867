export type RequestKind = 'export' | 'erasure'
export type RequestState = 'asking' | 'erasing' | 'exporting' | 'refused' | 'done'
export type RequestStep = 'ask' | 'export' | 'erase'

export interface PersonalDataRequest {
  id: string
  accountId: string
  kind: RequestKind
  state: RequestState
}

/** The services besides users that store personal data. Each sends one receipt per step. */
export const participants = ['catalog', 'auction', 'payments', 'messaging', 'search'] as const

export const ownService = 'users'

export const steps = { asking: 'ask', erasing: 'erase', exporting: 'export' } as const

/** Returns the step that a request waits for; null if the request has finished. */
export function currentStep(state: RequestState): RequestStep | null {
  return state === 'refused' || state === 'done' ? null : steps[state]
}

/**
 * Returns the next state once every receipt of a step has arrived. The receipts for `ask` are lists of objections to
 * the erasure.
 */
export function nextState(state: RequestState, receipts: readonly unknown[]): RequestState {
  if (state !== 'asking') return 'done'
  return receipts.some((objections) => !Array.isArray(objections) || objections.length > 0) ? 'refused' : 'erasing'
}
