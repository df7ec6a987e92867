/** A table that is partitioned by the creation time of its UUIDv7 ids, with one partition per UTC day. */
export interface PartitionedTable {
  name: string
  /** Name of the column with the UUIDv7 id. */
  key: string
  /**
   * Name of the column with the start of a row's retention period. If the column is null, the row must not be dropped.
   */
  finishedAt: string
  retention: 'OUTBOX_RETENTION_MS' | 'INBOX_RETENTION_MS'
}

export const partitionedTables: readonly PartitionedTable[] = [
  { name: 'outbox', key: 'id', finishedAt: 'published_at', retention: 'OUTBOX_RETENTION_MS' },
  { name: 'inbox', key: 'event_id', finishedAt: 'received_at', retention: 'INBOX_RETENTION_MS' },
  // A service rejects hold requests of the sales in this table, also requests that arrive long after the release.
  { name: 'released_sales', key: 'sale_id', finishedAt: 'released_at', retention: 'INBOX_RETENTION_MS' },
]
