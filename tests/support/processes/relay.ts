import { eventually } from '@marketplace/testing/eventually.ts'
import pg from 'pg'

/**
 * Takes a schema's relay lock from its holder, so that no process relays. Returns a function that releases the lock.
 */
export async function stopRelay(adminUrl: string, schema: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: adminUrl })
  const killer = new pg.Client({ connectionString: adminUrl })
  await Promise.all([holder.connect(), killer.connect()])
  const key = `hashtextextended('marketplace.relay:' || $1, 0)`
  const isLock = `locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = ${key}`
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
  const values = [schema, rows[0]?.pid]
  const locked = holder.query(`select pg_advisory_lock(${key})`, [schema])
  // A queued request is granted before the next attempt of a relay, once the leader's connection ends.
  await eventually(
    async () => (await killer.query(`select from pg_locks where ${isLock} and pid = $2`, values)).rowCount === 1,
  )
  await killer.query(`select pg_terminate_backend(pid) from pg_locks where granted and ${isLock} and pid <> $2`, values)
  await locked
  await killer.end()
  return () => holder.end()
}
