-- The terms version of the listing: of the buyer's request until the item is held, then that of the terms. Null in sales of earlier versions.
alter table transactions add column terms_version integer;
