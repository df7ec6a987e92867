import pg from 'pg'

/** Takes a schema's relay lock from whoever has it, so that no process relays; answers how to give it back. */
export async function stopRelay(adminUrl: string, schema: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: adminUrl })
  const killer = new pg.Client({ connectionString: adminUrl })
  await Promise.all([holder.connect(), killer.connect()])
  const key = `hashtextextended('marketplace.relay:' || $1, 0)`
  // The waiting lock comes before any try of the relays, so it has the lock once the leader's connection is gone.
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
