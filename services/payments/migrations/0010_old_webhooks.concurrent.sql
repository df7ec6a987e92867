-- Deletion of processed webhook events after WEBHOOK_RETENTION_MS.
create index concurrently if not exists webhook_events_processed on webhook_events (processed_at) where processed_at is not null;
