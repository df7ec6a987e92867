/** A table that is partitioned by the creation time of its UUIDv7 ids, with one partition per UTC day. */
export interface PartitionedTable {
  name: string
  /** Name of the column with the UUIDv7 id. */
  key: string
  /**
   * Name of the column with the time at which the retention period of a row starts. Null in a row that must not be dropped.
   */
  finishedAt: string
  retention: 'OUTBOX_RETENTION_MS' | 'INBOX_RETENTION_MS'
}

export const partitionedTables: readonly PartitionedTable[] = [
  { name: 'outbox', key: 'id', finishedAt: 'published_at', retention: 'OUTBOX_RETENTION_MS' },
]
