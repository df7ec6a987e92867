alter table journals drop constraint journals_once;
-- Transactions of their own: reads and writes go on while every row is checked.
alter table transactions validate constraint transactions_refunded;
alter table journals validate constraint journals_kind_check;
