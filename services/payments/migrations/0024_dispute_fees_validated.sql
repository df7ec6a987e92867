-- A transaction of its own: reads and writes go on while every row is checked.
alter table journals validate constraint journals_kind_check;
alter table entries validate constraint entries_account_check;
