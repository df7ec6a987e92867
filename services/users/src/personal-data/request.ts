export type RequestKind = 'export' | 'erasure'
export type RequestState = 'asking' | 'erasing' | 'exporting' | 'refused' | 'done'
export type RequestStep = 'ask' | 'export' | 'erase'

export interface PersonalDataRequest {
  id: string
  accountId: string
  kind: RequestKind
  state: RequestState
}

/** The services besides users that hold personal data; each sends one receipt per step. */
export const participants = ['catalog', 'auction', 'payments', 'messaging', 'search'] as const

export const ownService = 'users'

export const steps = { asking: 'ask', erasing: 'erase', exporting: 'export' } as const

/** Returns the step that a request waits for; null if the request has finished. */
export function currentStep(state: RequestState): RequestStep | null {
  return state === 'refused' || state === 'done' ? null : steps[state]
}

/** Returns the state that follows when every receipt of a step has arrived. A receipt for `ask` is a list of objections. */
export function nextState(state: RequestState, receipts: readonly unknown[]): RequestState {
  if (state !== 'asking') return 'done'
  return receipts.some((objections) => !Array.isArray(objections) || objections.length > 0) ? 'refused' : 'erasing'
}
