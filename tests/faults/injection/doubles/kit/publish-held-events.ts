import { runCommitHooks as run } from '@marketplace/kit/db/commit-hooks.ts'
import { transaction, type Db } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import { heldEvents } from '../held-events.ts'

export * from '@marketplace/kit/db/commit-hooks.ts'

/** Stores the events of a committed transaction, each in its own transaction. */
export function runCommitHooks(db: object, executor: object): void {
  run(db, executor)
  if (!isDatabase(db)) return
  for (const event of heldEvents.get(executor) ?? []) void transaction(db, (trx) => publishAll(trx, [event]))
}

function isDatabase(db: object): db is Db<object> {
  return 'transaction' in db
}
