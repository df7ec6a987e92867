-- A transaction of its own: reads and writes go on while every row is checked.
alter table disputes validate constraint disputes_closed_parked_or_due;
