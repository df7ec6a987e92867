-- A transaction of its own: reads and writes go on while every row is checked.
alter table listings validate constraint listings_terms_version;
alter table listings validate constraint listings_status;
alter table listings validate constraint listings_end_reason;
alter table listings validate constraint listings_ended;
alter table listings validate constraint listings_original_price_kind;
