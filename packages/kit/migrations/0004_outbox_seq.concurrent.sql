-- Marking events as published, where `seq` is not the primary key: in a partition of the outbox.
create index concurrently if not exists outbox_seq on outbox (seq);
