-- The rate of each sale's fee in basis points, set with its terms. Pods of the version before write none and take 5 %.
alter table transactions add column fee_basis_points integer not null default 500
  check (fee_basis_points between 0 and 10000);
alter table transactions drop constraint transactions_fee;
alter table transactions add constraint transactions_fee
  check (transaction_fee = (sale_price::bigint * fee_basis_points + 5000) / 10000) not valid;
