import type pg from 'pg'
import { runWithLockRetry, type LockRetry, type WaitForRetry } from '../migrate/lock-retry.ts'
import {
  dayMs,
  defaultPartition,
  isTrue,
  lowestId,
  partitionUntil,
  readPartitions,
  type Partition,
} from './partition.ts'
import { partitionedTables, type PartitionedTable } from './partitioned-tables.ts'

// Number of future days for which partitions are created in advance. The alert PartitionsMissing fires if fewer than
// two future days have a partition.
const daysAhead = 3

export interface PartitionOptions {
  /** The time of the database's clock, in ms since 1970. */
  now: number
  wait: WaitForRetry
}

/** Creates the missing partitions of today and of the three days after today. */
export async function createPartitions(client: pg.Client, options: PartitionOptions): Promise<void> {
  for (const table of partitionedTables) {
    if (await isTrue(client, `to_regclass('${defaultPartition(table)}') is not null`))
      await createPartitionsOf(client, table, options)
  }
}

async function createPartitionsOf(
  client: pg.Client,
  table: PartitionedTable,
  { now, wait }: PartitionOptions,
): Promise<void> {
  const retry = { subject: `Partition of ${table.name}`, wait }
  const midnight = Math.floor(now / dayMs) * dayMs
  const last = midnight + (daysAhead + 1) * dayMs
  const newest = (await readPartitions(client, table)).at(-1)
  if (newest === undefined || newest.until <= midnight || (await hasRows(client, table, newest.until, last)))
    return closeDefault(client, table, { from: newest?.until, to: last }, retry)
  for (let from = newest.until; from < last; from += dayMs)
    await runWithLockRetry(client, retry, () => attachDay(client, table, from))
}

function hasRows(client: pg.Client, table: PartitionedTable, from: number, to: number): Promise<boolean> {
  const isInRange = `${table.key} >= ${lowestId(from)} and ${table.key} < ${lowestId(to)}`
  return isTrue(client, `exists (select from ${defaultPartition(table)} where ${isInRange})`)
}

// Creates the partition for one day as a separate table and attaches it. Attaching locks only the default partition;
// `create table … partition of` would block reads and writes of the partitioned table.
async function attachDay(client: pg.Client, table: PartitionedTable, from: number): Promise<void> {
  const { name, until } = partitionUntil(table, from + dayMs)
  await client.query(
    `create table ${name} (like ${table.name} including defaults including indexes including constraints);
     alter table ${table.name} attach partition ${name} for values from (${lowestId(from)}) to (${lowestId(until)})`,
  )
}

/**
 * Turns the default partition into an ordinary one that ends at `range.to`, and creates an empty default partition.
 * Needed because Postgres rejects a new partition if the default partition already contains rows for it.
 */
async function closeDefault(
  client: pg.Client,
  table: PartitionedTable,
  range: { from: number | undefined; to: number },
  retry: LockRetry,
): Promise<void> {
  const partition = partitionUntil(table, range.to)
  const from = range.from === undefined ? undefined : lowestId(range.from)
  await addBound(client, table, { from, to: lowestId(range.to) }, retry)
  try {
    // Validates the constraint without blocking writes, so that `attach partition` skips its own, blocking check.
    await client.query(`alter table ${defaultPartition(table)} validate constraint ${boundOf(table)}`)
    await runWithLockRetry(client, retry, () => replaceDefault(client, table, { partition, from }))
  } catch (error) {
    // Drops the constraint after a failure, so that the default partition accepts all rows again.
    await runWithLockRetry(client, retry, () => dropBound(client, defaultPartition(table), table))
    throw error
  }
}

const boundOf = (table: PartitionedTable): string => `${table.name}_default_bound`

function dropBound(client: pg.Client, name: string, table: PartitionedTable): Promise<unknown> {
  return client.query(`alter table ${name} drop constraint if exists ${boundOf(table)}`)
}

async function addBound(
  client: pg.Client,
  table: PartitionedTable,
  range: { from: string | undefined; to: string },
  retry: LockRetry,
): Promise<void> {
  const lower = range.from === undefined ? '' : `${table.key} >= ${range.from} and `
  await runWithLockRetry(client, retry, async () => {
    await dropBound(client, defaultPartition(table), table)
    await client.query(
      `alter table ${defaultPartition(table)}
       add constraint ${boundOf(table)} check (${lower}${table.key} < ${range.to}) not valid`,
    )
  })
}

async function replaceDefault(
  client: pg.Client,
  table: PartitionedTable,
  { partition, from }: { partition: Partition; from: string | undefined },
): Promise<void> {
  await client.query(
    `alter table ${table.name} detach partition ${defaultPartition(table)};
     alter table ${defaultPartition(table)} rename to ${partition.name};
     alter table ${table.name} attach partition ${partition.name}
       for values from (${from ?? 'minvalue'}) to (${lowestId(partition.until)})`,
  )
  await dropBound(client, partition.name, table)
  await client.query(`create table ${defaultPartition(table)} partition of ${table.name} default`)
}
