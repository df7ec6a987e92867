// Objects marked by `markForCommitHooks`: transactions, or databases for statements outside a transaction.
const marked = new WeakSet<object>()
const hooksByDb = new WeakMap<object, Set<() => void>>()

/**
 * Marks `executor` as having written an event, so that `runCommitHooks` runs the hooks after the commit. `executor` is
 * the transaction, or the database for a statement outside a transaction.
 */
export function markForCommitHooks(executor: object): void {
  marked.add(executor)
}

/**
 * Runs the hooks that are registered for `db` if an event was written on `executor`, which is a transaction or `db`
 * itself. Call this function after the commit.
 */
export function runCommitHooks(db: object, executor: object): void {
  if (!marked.has(executor)) return
  for (const hook of hooksByDb.get(db) ?? []) hook()
}

/** Makes commits on `other`, a second pool of the same database, run the hooks of `db`, too. */
export function shareCommitHooks(db: object, other: object): void {
  const hooks = hooksByDb.get(db) ?? new Set()
  hooksByDb.set(db, hooks)
  hooksByDb.set(other, hooks)
}

/**
 * Registers a hook that runs after each commit on `db` in which this process wrote an event. Returns a function that
 * removes the hook.
 */
export function onMarkedCommit(db: object, hook: () => void): () => void {
  const hooks = hooksByDb.get(db) ?? new Set()
  hooksByDb.set(db, hooks.add(hook))
  return () => void hooks.delete(hook)
}
