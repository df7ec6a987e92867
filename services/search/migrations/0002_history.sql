-- What was searched, one row per searcher and term: a user's, or, signed out, a browser session's.
create table searches (
  user_id uuid,
  session_id text,
  -- The term in lower case: case is ignored.
  term_key text not null,
  -- As it was typed last.
  term text not null,
  searched_at timestamptz not null,
  -- When this searcher counted last for trending; null while they found nothing.
  counted_at timestamptz,
  check (num_nonnulls(user_id, session_id) = 1),
  unique nulls not distinct (user_id, session_id, term_key)
);

-- The newest terms of a user, and of a session.
create index searches_of_user on searches (user_id, searched_at) where user_id is not null;
create index searches_of_session on searches (session_id, searched_at) where session_id is not null;

-- A searcher who found something, once per term and hour. Trending is counted from here.
create table search_counts (
  term_key text not null,
  term text not null,
  counted_at timestamptz not null
);

-- A term's newest spelling.
create index search_counts_of_term on search_counts (term_key, counted_at);
-- Counts that are too old to matter.
create index search_counts_old on search_counts (counted_at);
