-- Completed sales by seller, counted from PaymentSucceeded events.
create table sale_counts (
  user_id uuid primary key references accounts (id),
  sales integer not null check (sales > 0)
);
