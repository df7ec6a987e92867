-- How often the provider failed at the step at hand and keeps that answer under its key: the next try has a key of its own.
alter table transactions add column faults smallint not null default 0 check (faults >= 0);
