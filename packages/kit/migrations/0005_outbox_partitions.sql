-- The table becomes the default partition of a partitioned table with the same name, so that no row is moved or scanned. Statements
-- of the previous version keep their meaning. `packages/kit/src/partitions` then gives the partition its range.
-- squawk-ignore renaming-table
alter table outbox rename to outbox_default;
alter table outbox_default rename constraint outbox_id_key to outbox_default_id_key;
alter index outbox_unpublished rename to outbox_default_unpublished;
alter index outbox_seq rename to outbox_default_seq;
alter sequence outbox_seq_seq rename to outbox_default_seq_seq;

create table outbox (like outbox_default including defaults, unique (id)) partition by range (id);
alter table outbox alter column seq add generated always as identity;
-- The table is locked, so that the numbers continue where they ended.
select setval('outbox_seq_seq', (select last_value from outbox_default_seq_seq));
alter table outbox_default alter column seq drop identity;

-- The relay's read; holds only what is still to be sent.
create index outbox_unpublished on outbox (seq) where published_at is null;
-- Marking events as published by the previous version.
create index outbox_seq on outbox (seq);

alter table outbox attach partition outbox_default default;
