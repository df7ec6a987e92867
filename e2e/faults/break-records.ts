import { checkRecords, type Checked } from '@marketplace/dev/invariants/find-findings.ts'
import type { JournalEntry } from '@marketplace/dev/invariants/journal.ts'
import { readProvider } from '@marketplace/dev/invariants/provider-record.ts'
import pg from 'pg'
import type { TestStack } from '../src/stack.ts'
import { breaks } from './breaks.ts'
import { openIntentOfNobody, providerOf } from './provider.ts'

// The database refuses most of these breaks by itself; here only the checker is to tell.
const withoutGuards = `
  set local session_replication_role = replica;
  do $$ declare guard record; begin
    for guard in select conrelid::regclass as rel, conname from pg_constraint
      where contype in ('c', 'u') and conrelid <> 0 and connamespace::regnamespace::text <> 'pg_catalog'
    loop execute format('alter table %s drop constraint %I cascade', guard.rel, guard.conname); end loop;
    for guard in select indexrelid::regclass as rel from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and not indisprimary and relnamespace::regnamespace::text not like 'pg\\_%'
    loop execute format('drop index %s cascade', guard.rel); end loop;
  end $$`

interface Tried {
  /** Everything that was checked. */
  names: string[]
  /** Breaks that the checker did not tell of. */
  unseen: string[]
}

/** Writes each break into the records, one at a time, and takes it back; nobody else may be at the database. */
export async function breakRecords(stack: TestStack, journal: readonly JournalEntry[]): Promise<Tried> {
  const stray = await openIntentOfNobody(stack)
  const record = await readProvider(providerOf(stack))
  const client = new pg.Client({ connectionString: stack.adminUrl })
  await client.connect()
  const check = () => checkRecords(client, { record, journal })
  const names = (await check()).map(({ name }) => name)
  const unseen: string[] = []
  await client.query('begin')
  await client.query(withoutGuards)
  for (const [invariant, sql] of breaks) {
    await client.query('savepoint sound')
    await client.query(sql, sql.includes('$1') ? [stray] : [])
    if (!isRed(await check(), invariant)) unseen.push(`${invariant}: ${sql}`)
    await client.query('rollback to savepoint sound')
  }
  await client.query('rollback')
  await client.end()
  return { names, unseen }
}

function isRed(checked: readonly Checked[], invariant: string): boolean {
  return checked.some(({ name, findings }) => name === invariant && findings.length > 0)
}
