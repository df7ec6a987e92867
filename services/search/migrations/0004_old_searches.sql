-- The sweep of searches that nobody repeats.
create index searches_old on searches (searched_at);
