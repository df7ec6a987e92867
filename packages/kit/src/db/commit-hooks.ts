// The transactions and statements that wrote an event. After their commit, the hooks of their database run. One of the hooks
// wakes the outbox relay.
const marked = new WeakSet<object>()
const hooksByDb = new WeakMap<object, Set<() => void>>()

/** Marks a transaction or a single statement, so that the hooks run after its commit. */
export function markForCommitHooks(executor: object): void {
  marked.add(executor)
}

/** Runs the hooks of `db` if `executor` was marked. Call it after the commit. */
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

/** Registers a hook for marked commits of this process on `db`; returns a function that removes it. */
export function onMarkedCommit(db: object, hook: () => void): () => void {
  const hooks = hooksByDb.get(db) ?? new Set()
  hooksByDb.set(db, hooks.add(hook))
  return () => void hooks.delete(hook)
}
