-- How many views of a listing an address counted since the first of them, so that one address counts a bounded number of views,
-- however many viewers it has.
create table listing_view_networks (
  listing_id uuid not null,
  -- A hash of the IPv4 address or the IPv6 network.
  network_id bigint not null,
  since timestamptz not null,
  views integer not null check (views > 0),
  primary key (listing_id, network_id)
);

-- The sweep of those that count anew.
create index listing_view_networks_age on listing_view_networks (since);
