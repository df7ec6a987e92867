/** A table that is partitioned by range of a UUIDv7, one partition per UTC day. */
export interface PartitionedTable {
  name: string
  /** Column of the UUIDv7. */
  key: string
  /** Column from which the retention counts. Null in a row that must not be dropped. */
  finishedAt: string
  retention: 'OUTBOX_RETENTION_MS' | 'INBOX_RETENTION_MS'
}

export const partitionedTables: readonly PartitionedTable[] = [
  { name: 'outbox', key: 'id', finishedAt: 'published_at', retention: 'OUTBOX_RETENTION_MS' },
]
