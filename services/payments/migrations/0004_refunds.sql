-- A refund that nobody is set to look at was left by the release before, or by one of its processes that still runs.
create index transactions_refunds_left on transactions (id) where state = 'refunding' and next_at is null;
