import type { Invariant } from '../invariant.ts'

// SQL for one row per element of `l.pictures`, which is null if the seller entered only image URLs.
const chosen = `jsonb_array_elements(coalesce(l.pictures, '[]')) as chosen`

/** Invariants for uploaded pictures and for the listings that show them. */
export const pictureInvariants: readonly Invariant[] = [
  {
    name: 'every uploaded picture of a listing is ready, its seller’s and in use',
    sql: `
      select format('listing %s shows the picture %s, which is %s', l.id, chosen ->> 'key', coalesce(p.state, 'missing')) as message
      from catalog.listings l cross join ${chosen}
      left join catalog.pictures p on p.id = left(chosen ->> 'key', 36)::uuid and p.id || '-' || p.hash = chosen ->> 'key'
      where {{listing:l.id}} and chosen ? 'key' and (p.state is distinct from 'ready' or p.uploader_id <> l.seller_id
        or not exists (select from catalog.picture_uses u where u.picture_id = p.id and u.listing_id = l.id))`,
  },
  {
    name: 'the references of a listing are those of its pictures, in order',
    sql: `
      select format('listing %s has the references %s of the pictures %s', id, image_urls, pictures) as message
      from catalog.listings l
      where {{listing:l.id}} and pictures is not null and image_urls::jsonb is distinct from (
        select jsonb_agg(coalesce('picture:' || (chosen ->> 'key'), chosen ->> 'url') order by n)
        from jsonb_array_elements(l.pictures) with ordinality as given (chosen, n))`,
  },
  {
    name: 'every use of a picture has its listing or a revision of it',
    sql: `
      select format('picture %s is used by %s, which does not show it', u.picture_id, u.listing_id) as message
      from catalog.picture_uses u
      left join catalog.listings l on l.id = u.listing_id
      where {{listing:u.listing_id}} and not exists (
        select from ${chosen} where left(chosen ->> 'key', 36) = u.picture_id::text)
        and not exists (select from catalog.listing_revisions r
          where r.listing_id = u.listing_id and r.image_urls like '%picture:' || u.picture_id || '%')`,
  },
  {
    name: 'a picture is unused exactly while it is ready and no listing uses it',
    sql: `
      select format('picture %s is %s, unused since %s, with %s uses', p.id, p.state, p.unused_since, count(u.picture_id)) as message
      from catalog.pictures p left join catalog.picture_uses u on u.picture_id = p.id
      group by p.id having (p.state = 'ready' and count(u.picture_id) = 0) <> (p.unused_since is not null)`,
  },
  {
    name: 'every ready picture has the four bands of its hash',
    sql: `
      select format('picture %s has %s of its 4 bands', p.id, count(b.picture_id)) as message
      from catalog.pictures p
      left join catalog.picture_bands b on b.picture_id = p.id
        and b.bits = substring(p.phash from b.band * 16 + 1 for 16)::bit(16)::integer
      where p.phash is not null group by p.id having count(b.picture_id) <> 4`,
  },
  {
    name: 'no picture waits for a day, and none that failed is kept for longer',
    sql: `
      select format('picture %s is %s since %s', id, state, created_at) as message from catalog.pictures
      where state <> 'ready' and created_at < clock_timestamp() - interval '25 hours' and next_at < clock_timestamp() - interval '1 hour'`,
  },
  {
    name: 'search shows the pictures of each listing',
    sql: `
      select format('listing %s has the pictures %s, search shows %s', l.id, l.pictures, s.body -> 'pictures') as message
      from catalog.listings l join search.listings s on s.id = l.id
      where {{listing:l.id}} and s.version = l.version and (s.body ->> 'version')::bigint = s.version
        and l.pictures is distinct from s.body -> 'pictures'`,
  },
]
