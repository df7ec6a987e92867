export type RequestKind = 'export' | 'erasure'
export type RequestState = 'asking' | 'erasing' | 'exporting' | 'refused' | 'done'
export type RequestStep = 'ask' | 'export' | 'erase'

export interface PersonalDataRequest {
  id: string
  accountId: string
  kind: RequestKind
  state: RequestState
}

/** Who takes part besides users; each gives a receipt for each step. */
export const participants = ['catalog', 'auction', 'payments', 'messaging', 'search'] as const

export const ownName = 'users'

export const steps = { asking: 'ask', erasing: 'erase', exporting: 'export' } as const

/** The step that a request waits for; null when it is over. */
export function stepOf(state: RequestState): RequestStep | null {
  return state === 'refused' || state === 'done' ? null : steps[state]
}

/** Where a request goes once every service has answered its step; an answer to `ask` is a list of reasons against it. */
export function nextState(state: RequestState, receipts: readonly unknown[]): RequestState {
  if (state !== 'asking') return 'done'
  return receipts.some((reasons) => !Array.isArray(reasons) || reasons.length > 0) ? 'refused' : 'erasing'
}
