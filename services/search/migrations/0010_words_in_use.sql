-- The sweep of unused words takes this lock exclusively. A transaction that writes words holds it shared until its end, so
-- that the sweep sees the listings of all words that it deletes, and a word that was just deleted is inserted again.
create or replace function keep_lexemes() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('search.words', 0));
  -- In one order, so that two listings with the same new words seldom wait for each other in a circle.
  insert into lexemes
  select word from unnest(tsvector_to_array(new.words)) as word
  where word not like ' %' and not exists (select from lexemes where lexeme = word)
  order by word
  on conflict do nothing;
  return null;
end $$;
