-- Deletion of processed webhook events after WEBHOOK_RETENTION_MS.
create index webhook_events_processed on webhook_events (processed_at) where processed_at is not null;
