-- Uploaded pictures. The picture worker, role catalog_pictures, works on the rows in every state but ready.
create table pictures (
  id uuid primary key,
  uploader_id uuid not null,
  state text not null check (state in ('announced', 'uploaded', 'ready', 'refused', 'deleting')),
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp', 'image/avif')),
  byte_size integer not null check (byte_size between 1 and 12582912),
  -- Of the uploaded object: a later object under the same key is never read.
  etag text,
  -- How often a worker began to process the picture.
  attempts integer not null default 0 check (attempts between 0 and 3),
  next_at timestamptz,
  reason text,
  -- Beginning of the SHA-256 of the largest JPEG.
  hash text check (hash ~ '^[0-9a-f]{16}$'),
  width integer,
  height integer,
  formats text[],
  widths integer[],
  thumbhash bytea check (octet_length(thumbhash) <= 32),
  phash bit(64),
  is_flagged boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  unused_since timestamptz,
  check ((reason is not null) = (state = 'refused')),
  check (num_nonnulls(hash, width, height, formats, widths, thumbhash, phash) in (0, 7)),
  check (state <> 'ready' or hash is not null),
  check (state not in ('uploaded', 'ready') or etag is not null),
  check (unused_since is null or state = 'ready')
);

-- The worker's queue.
create index pictures_due on pictures (next_at) where state <> 'ready';
-- The queue of catalog's search for matching pictures.
create index pictures_to_match on pictures (next_at) where state = 'ready' and next_at is not null;
-- The sweep of unused pictures.
create index pictures_unused on pictures (unused_since) where unused_since is not null;
-- Quotas, export and erasure.
create index pictures_of_uploader on pictures (uploader_id, created_at);

-- Each row keeps its picture from being deleted.
create table picture_uses (
  picture_id uuid not null references pictures (id),
  listing_id uuid not null,
  primary key (picture_id, listing_id)
);

-- Replacing the pictures of a listing.
create index picture_uses_of_listing on picture_uses (listing_id);

-- The perceptual hash in four parts of 16 bits: hashes at a distance of at most 3 bits have one part in common.
create table picture_bands (
  band integer not null check (band between 0 and 3),
  bits integer not null check (bits between 0 and 65535),
  picture_id uuid not null references pictures (id) on delete cascade,
  primary key (band, bits, picture_id)
);

-- Deleting a picture.
create index picture_bands_of_picture on picture_bands (picture_id);

-- The pictures in order. Null in rows of earlier versions, whose pictures are those of image_urls.
alter table listings add column pictures jsonb;

grant select, update, delete on pictures to catalog_pictures;
grant select, insert, delete on picture_bands to catalog_pictures;
