export type RequestKind = 'export' | 'erasure'
export type RequestState = 'asking' | 'erasing' | 'exporting' | 'refused' | 'done'
export type RequestStep = 'ask' | 'export' | 'erase'

export interface PersonalDataRequest {
  id: string
  accountId: string
  kind: RequestKind
  state: RequestState
}

/**
 * The services besides users that store personal data. In each step of an export or erasure, each of them sends one
 * receipt, which reports that it has completed the step.
 */
export const participants = ['catalog', 'auction', 'payments', 'messaging', 'search'] as const

export const ownService = 'users'

export const steps = { asking: 'ask', erasing: 'erase', exporting: 'export' } as const

/** Returns the step that the services are carrying out; null if the request has finished. */
export function currentStep(state: RequestState): RequestStep | null {
  return state === 'refused' || state === 'done' ? null : steps[state]
}

/**
 * Returns the next state of a request to export or erase personal data, once all services have completed its current
 * step. `receipts` are the reports of the services. In the step `ask`, the services are asked whether they object to
 * the erasure, and each report is a list of objections.
 */
export function nextState(state: RequestState, receipts: readonly unknown[]): RequestState {
  if (state !== 'asking') return 'done'
  return receipts.some((objections) => !Array.isArray(objections) || objections.length > 0) ? 'refused' : 'erasing'
}
