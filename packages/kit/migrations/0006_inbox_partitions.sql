-- As for the outbox: the table becomes the default partition of a partitioned table with the same name. An id belongs to one
-- partition, so that `on conflict` of the previous version still finds an event that is delivered twice.
-- squawk-ignore renaming-table
alter table inbox rename to inbox_default;
alter table inbox_default rename constraint inbox_pkey to inbox_default_pkey;

create table inbox (like inbox_default including defaults, primary key (consumer, event_id)) partition by range (event_id);
alter table inbox attach partition inbox_default default;
