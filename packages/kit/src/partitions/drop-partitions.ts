import type pg from 'pg'
import type { ServiceSettings } from '../config/config.ts'
import { runWithLockRetry, type WaitForRetry } from '../migrate/lock-retry.ts'
import type { PartitionOptions } from './create-partitions.ts'
import { defaultPartition, isTrue, readPartitions, type Partition } from './partition.ts'
import { partitionedTables, type PartitionedTable } from './partitioned-tables.ts'

export type RetentionSettings = Pick<ServiceSettings, PartitionedTable['retention']>

/**
 * Drops each partition whose rows have all passed their retention period. Returns the names of the dropped partitions.
 */
export async function dropPartitions(
  client: pg.Client,
  settings: RetentionSettings,
  { now, wait }: PartitionOptions,
): Promise<string[]> {
  const dropped: string[] = []
  for (const table of partitionedTables) {
    const retentionMs = settings[table.retention]
    const expired = (await readPartitions(client, table)).filter(({ until }) => until + retentionMs <= now)
    for (const partition of expired)
      if (await dropPartition(client, { table, partition, retentionMs }, wait)) dropped.push(partition.name)
    await deleteStrayRows(client, table, retentionMs)
  }
  return dropped
}

interface Expired {
  table: PartitionedTable
  partition: Partition
  retentionMs: number
}

// Drops a partition unless it has rows to keep. Checks twice, because rows can be written until it is locked.
async function dropPartition(client: pg.Client, expired: Expired, wait: WaitForRetry): Promise<boolean> {
  const { table, partition, retentionMs } = expired
  const isUnfinished = (condition: string) =>
    isTrue(client, `exists (select from ${partition.name} where ${table.finishedAt} is null${condition})`)
  if (await isUnfinished(` or ${table.finishedAt} > ${startOf(retentionMs)}`)) return false
  let isDropped = false
  await runWithLockRetry(client, { subject: `Partition ${partition.name}`, wait }, async () => {
    await client.query(`lock table only ${table.name}, only ${partition.name} in access exclusive mode`)
    isDropped = !(await isUnfinished(''))
    if (isDropped) await client.query(`drop table ${partition.name}`)
  })
  return isDropped
}

// Deletes a batch of expired rows from the default partition, which is never dropped.
async function deleteStrayRows(client: pg.Client, table: PartitionedTable, retentionMs: number): Promise<void> {
  const name = defaultPartition(table)
  if (!(await isTrue(client, `to_regclass('${name}') is not null`))) return
  await client.query(
    `delete from ${name} where ctid in (
       select ctid from ${name} where ${table.finishedAt} < ${startOf(retentionMs)} limit 1000)`,
  )
}

const startOf = (retentionMs: number) => `now() - make_interval(secs => ${retentionMs / 1000})`
