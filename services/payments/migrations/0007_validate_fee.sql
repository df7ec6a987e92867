-- A transaction of its own: reads and writes go on while every row is checked.
alter table transactions validate constraint transactions_fee;
