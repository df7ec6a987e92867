-- Counted views by half hour: the partition of a half hour is reused two hours later and emptied whole in between. They replace
-- `listing_views` and `listing_view_networks`, which stay for the previous version and are emptied once it counts no more.

-- The number of the partition of the half hour of a time. `length` is the setting VIEW_DEDUP_WINDOW_MS.
create function view_slot(at timestamptz, length double precision) returns smallint language sql immutable
return mod(floor(extract(epoch from at) * 1000 / length)::bigint, 4)::smallint;

-- When a viewer's view of a listing last counted.
create table counted_views (
  slot smallint not null,
  listing_id uuid not null,
  -- SHA-256 of whom the view is counted for: a user, a browser or an address.
  viewer bytea not null check (length(viewer) = 32),
  counted_at timestamptz not null,
  primary key (slot, listing_id, viewer)
) partition by list (slot);

create table counted_views_0 partition of counted_views for values in (0);
create table counted_views_1 partition of counted_views for values in (1);
create table counted_views_2 partition of counted_views for values in (2);
create table counted_views_3 partition of counted_views for values in (3);

-- The views that an erasure removes.
create index counted_views_of_viewer on counted_views (viewer);

-- How many views of a listing an address counted since the first of them.
create table counted_network_views (
  slot smallint not null,
  listing_id uuid not null,
  -- A hash of the IPv4 address or the IPv6 network.
  network_id bigint not null,
  since timestamptz not null,
  views integer not null check (views > 0),
  primary key (slot, listing_id, network_id)
) partition by list (slot);

create table counted_network_views_0 partition of counted_network_views for values in (0);
create table counted_network_views_1 partition of counted_network_views for values in (1);
create table counted_network_views_2 partition of counted_network_views for values in (2);
create table counted_network_views_3 partition of counted_network_views for values in (3);

-- Empties the partitions of the half hour before the previous one. Returns false if a table was in use: the next run empties it.
-- Runs as the owner, because the service's role has no TRUNCATE privilege.
create function empty_expired_views(length double precision) returns boolean language plpgsql
security definer set search_path from current set lock_timeout = '200ms' as $$
declare
  -- Four partitions: the one before the previous is the one after the next.
  expired smallint := mod(view_slot(clock_timestamp(), length) + 2, 4);
  target text;
begin
  foreach target in array array['counted_views_' || expired, 'counted_network_views_' || expired] loop
    perform empty_table(target);
  end loop;
  if not exists (select from listing_views where counted_at > clock_timestamp() - make_interval(secs => length / 1000)) then
    perform empty_table('listing_views');
    perform empty_table('listing_view_networks');
  end if;
  return true;
exception when lock_not_available then
  return false;
end
$$;

-- Truncates a table unless it is empty: a truncation waits for readers and writes new files.
create function empty_table(target text) returns void language plpgsql as $$
declare
  has_rows boolean;
begin
  execute format('select exists (select from %I)', target) into has_rows;
  if has_rows then
    execute format('truncate %I', target);
  end if;
end
$$;
