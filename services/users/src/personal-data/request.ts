export type RequestKind = 'export' | 'erasure'
export type RequestState = 'asking' | 'erasing' | 'exporting' | 'refused' | 'done'
export type RequestStep = 'ask' | 'export' | 'erase'

export interface PersonalDataRequest {
  id: string
  accountId: string
  kind: RequestKind
  state: RequestState
}

/** The other services that store personal data. Each sends a receipt when it has completed a step of a request. */
export const participants = ['catalog', 'auction', 'payments', 'messaging', 'search'] as const

export const ownService = 'users'

export const steps = { asking: 'ask', erasing: 'erase', exporting: 'export' } as const

/** Returns the step that the services are carrying out; null if the request has finished. */
export function currentStep(state: RequestState): RequestStep | null {
  return state === 'refused' || state === 'done' ? null : steps[state]
}

/**
 * Returns the state that follows when all services have completed the current step. In the state `asking`, any
 * objection to the erasure in a receipt leads to the state `refused`.
 */
export function nextState(state: RequestState, receipts: readonly unknown[]): RequestState {
  if (state !== 'asking') return 'done'
  return receipts.some((objections) => !Array.isArray(objections) || objections.length > 0) ? 'refused' : 'erasing'
}
