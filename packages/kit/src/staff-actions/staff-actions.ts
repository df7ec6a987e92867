import { sql, type Generated } from 'kysely'
import type { Trx } from '../db/db.ts'
import { newId } from '../values/ids.ts'

/** The actions of staff and operators, in a service's table `staff_actions`. */
export interface StaffActionsTable {
  id: string
  /** Null if an operator performed the action with a command. */
  staff_id: string | null
  action: string
  /** Id of what was acted on; for `retry-refund` and `lift-strike`, the sale. */
  subject: string
  reason: string
  acted_at: Generated<Date>
}

/** Records an action that an operator performed with a command, in the service's table `staff_actions`. */
export async function insertCommandAction<Tables>(
  trx: Trx<Tables>,
  { action, subject, reason }: { action: string; subject: string; reason: string },
): Promise<void> {
  await sql`
    insert into staff_actions (id, action, subject, reason)
    values (${newId()}, ${action}, ${subject}, ${reason})`.execute(trx)
}
