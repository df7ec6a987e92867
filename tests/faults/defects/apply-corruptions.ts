import { checkRecords } from '@marketplace/ops/invariants/check-invariants.ts'
import type { JournalEntry } from '@marketplace/ops/invariants/journal.ts'
import { readProvider } from '@marketplace/ops/invariants/provider-record.ts'
import pg from 'pg'
import type { TestStack } from '../../support/processes/stack.ts'
import { corruptions } from './corruptions.ts'
import { createOrphanedIntent, providerOf } from '../load/provider.ts'

// Drops the constraints and triggers that would reject most corruptions: the checker alone must find them. Those of a
// partition go with those of its table.
const withoutGuards = `
  set local session_replication_role = replica;
  do $$ declare guard record; begin
    for guard in select conrelid::regclass as rel, conname from pg_constraint
      where contype in ('c', 'u') and conrelid <> 0 and coninhcount = 0 and connamespace::regnamespace::text <> 'pg_catalog'
    loop execute format('alter table %s drop constraint %I cascade', guard.rel, guard.conname); end loop;
    for guard in select indexrelid::regclass as rel from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and not indisprimary and not relispartition and relnamespace::regnamespace::text not like 'pg\\_%'
    loop execute format('drop index %s cascade', guard.rel); end loop;
  end $$`

interface CorruptionResult {
  /** The names of all checked invariants. */
  names: string[]
  /** The corruptions that the checker did not find. */
  missed: string[]
}

/** Applies each corruption to the database and rolls it back. No other process may use the database meanwhile. */
export async function applyCorruptions(stack: TestStack, journal: readonly JournalEntry[]): Promise<CorruptionResult> {
  const stray = await createOrphanedIntent(stack)
  const record = await readProvider(providerOf(stack))
  const client = new pg.Client({ connectionString: stack.adminUrl })
  await client.connect()
  const records = { record, journal }
  const names = (await checkRecords(client, records)).map(({ name }) => name)
  const missed: string[] = []
  await client.query('begin')
  await client.query(withoutGuards)
  for (const [invariant, sql] of corruptions) {
    await client.query('savepoint sound')
    await client.query(sql, sql.includes('$1') ? [stray] : [])
    const checked = await checkRecords(client, records, invariant)
    if (checked.every(({ violations }) => violations.length === 0)) missed.push(`${invariant}: ${sql}`)
    await client.query('rollback to savepoint sound')
  }
  await client.query('rollback')
  await client.end()
  return { names, missed }
}
