-- Refunds that the buyer has not received: the sweep and the metric of stuck ones.
create index concurrently if not exists refunds_unfinished on refunds (created_at) where state in ('owed', 'pending');
