import pg from 'pg'

/**
 * Takes a schema's relay lock from its holder, so that no process relays. Returns a function that releases the lock.
 */
export async function stopRelay(adminUrl: string, schema: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: adminUrl })
  const killer = new pg.Client({ connectionString: adminUrl })
  await Promise.all([holder.connect(), killer.connect()])
  const key = `hashtextextended('marketplace.relay:' || $1, 0)`
  // The lock request is queued before the relays' next attempts, so it is granted when the leader's connection ends.
  const locked = holder.query(`select pg_advisory_lock(${key})`, [schema])
  await killer.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = ${key}`,
    [schema],
  )
  await locked
  await killer.end()
  return () => holder.end()
}
