-- Buying at once ends an auction before its end; a checkout that is open at the end is settled first.
alter table auctions
  drop constraint auctions_state_check,
  add constraint auctions_state_check check (state in ('open', 'settling', 'closed')),
  drop constraint auctions_outcome_check,
  add constraint auctions_outcome_check check (outcome in ('no_sale', 'won', 'buy_now')),
  drop constraint auctions_check1,
  add constraint auctions_closed_after_end check (closed_at >= end_at or outcome = 'buy_now'),
  drop constraint auctions_won_with_bids,
  add constraint auctions_won_with_bids check (outcome is null or outcome = 'buy_now' or (outcome = 'won') = (bid_count > 0)),
  add constraint auctions_bought_at_a_price check (outcome <> 'buy_now' or buy_it_now is not null);

-- A checkout has no due time here: payments ends it.
alter table holds
  drop constraint holds_sale_type_check,
  add constraint holds_sale_type_check check (sale_type in ('auction_win', 'buy_now')),
  alter column due_at drop not null,
  add constraint holds_win_with_due_time check ((sale_type = 'auction_win') = (due_at is not null));

-- Sales that ended before they were held here: a call to hold one that comes late is refused.
create table released_sales (
  sale_id uuid primary key,
  released_at timestamptz not null default clock_timestamp()
);
