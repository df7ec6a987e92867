-- Personal data: the items that a person holds or has on hold, and the holds of a seller.
create index concurrently if not exists holds_of_buyer on holds (buyer_id) where state = 'held';
create index concurrently if not exists holds_of_seller on holds (seller_id);

-- The sweep of old tombstones.
create index concurrently if not exists holds_tombstones on holds (settled_at) where buyer_id is null;
