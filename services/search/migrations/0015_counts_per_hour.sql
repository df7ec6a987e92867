-- A hash of the member or network that counted the term; null in rows of the version before. The rows of a member are
-- deleted with their data, and the number of rows limits the terms that a member or network counts in an hour. The id
-- of a member's row is a hash of member and term.
alter table address_counts add column counted_by bigint;
