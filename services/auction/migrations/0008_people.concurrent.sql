-- A person's exposure, and the unpaid purchases that block erasure.
create index concurrently if not exists holds_by_buyer on holds (buyer_id) where state = 'held';
-- A person's bids in each auction, newest first: export, erasure, and the auctions that the person may lead.
create index concurrently if not exists bids_by_bidder on bids (bidder_id, listing_id, number desc);
-- A seller's auctions: export, erasure, and the running auctions that block it.
create index concurrently if not exists auctions_by_seller on auctions (seller_id);
