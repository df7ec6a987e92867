-- As for the outbox of kit: the table becomes the default partition of a partitioned table with the same name. A sale's id is a
-- UUIDv7, and days that are over are dropped by the same job.
-- squawk-ignore renaming-table
alter table released_sales rename to released_sales_default;
alter table released_sales_default rename constraint released_sales_pkey to released_sales_default_pkey;

create table released_sales (like released_sales_default including defaults, primary key (sale_id)) partition by range (sale_id);
alter table released_sales attach partition released_sales_default default;
