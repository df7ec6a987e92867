-- The words of filters begin with a space: no beginning of a typed word stands for them too, as "cat" did for 'category art'.
create or replace function add_filter_words() returns trigger language plpgsql as $$
declare
  listing listings;
begin
  select * into listing from listings where id = new.listing_id;
  if found then
    new.listed_at = listing.created_at;
    new.price_cents = listing.shown_price_cents;
    new.words = new.words || array_to_tsvector(array[' category ' || listing.category_slug, ' condition ' || listing.condition]);
  end if;
  return new;
end $$;

-- Every word of any listing, so that the beginning of one is looked up as the few that it may be: the word index finds
-- those at once, while for a beginning it first gathers all that has it.
create table lexemes (lexeme text collate "C" primary key);

create function keep_lexemes() returns trigger language plpgsql as $$
begin
  -- In one order, so that two listings with the same new words seldom wait for each other in a circle.
  insert into lexemes
  select word from unnest(tsvector_to_array(new.words)) as word
  where word not like ' %' and not exists (select from lexemes where lexeme = word)
  order by word
  on conflict do nothing;
  return null;
end $$;

create trigger lexemes_of_words after insert or update of words on listing_words
  for each row execute function keep_lexemes();

update listing_words set words = ts_delete(words, array(
  select word from unnest(tsvector_to_array(words)) as word where word like '_% %'
));
