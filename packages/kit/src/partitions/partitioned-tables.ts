/** A table that is partitioned by the creation time of its UUIDv7 ids, with one partition per UTC day. */
export interface PartitionedTable {
  name: string
  /** Name of the column with the UUIDv7 id. */
  key: string
  /** Name of the column with the time at which a row's retention period starts; rows with null are kept. */
  finishedAt: string
  retention: 'OUTBOX_RETENTION_MS' | 'INBOX_RETENTION_MS'
}

export const partitionedTables: readonly PartitionedTable[] = [
  { name: 'outbox', key: 'id', finishedAt: 'published_at', retention: 'OUTBOX_RETENTION_MS' },
  { name: 'inbox', key: 'event_id', finishedAt: 'received_at', retention: 'INBOX_RETENTION_MS' },
  // Released sales, for which the service rejects late hold requests.
  { name: 'released_sales', key: 'sale_id', finishedAt: 'released_at', retention: 'INBOX_RETENTION_MS' },
]
