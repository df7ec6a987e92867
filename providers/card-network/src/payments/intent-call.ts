import type { Faults } from '../faults/faults.ts'
import type { Form } from '../http/form.ts'
import type { EventContext } from '../webhooks/event-context.ts'
import type { Database } from './database.ts'

/** The kind of API key of a request. */
export type Caller = 'secret' | 'publishable'

/** One request for an intent; `form` contains the parameters without the API key. */
export interface IntentCall {
  readonly database: Database
  readonly events: EventContext
  readonly faults: Faults
  /** Number of confirmations after which the next one cancels the intent. */
  readonly maxConfirmations: number
  readonly caller: Caller
  readonly id: string
  readonly form: Form
}
