import { writeCursor } from '@marketplace/kit/http/paging.ts'
import type { Position } from '@marketplace/search/src/browse/browse.ts'
import type pg from 'pg'
import { random, type Random } from '../harness/random.ts'
import { conditions } from '@marketplace/contracts/listing.ts'
import { categories, places, wordsWithSynonyms } from './listings.ts'
import { mistyped, words } from './words.ts'

/** Queries of the search service by kind, with several distinct ones each. */
export type Queries = Readonly<Record<string, readonly string[]>>

const perKind = 60
const pageSize = 24
const farPage = 1000

export async function makeQueries(client: pg.Client): Promise<Queries> {
  const chance = random(8)
  const many = (make: (place: number) => Record<string, string>, path = '/api/listings') =>
    Array.from({ length: perKind }, (_, place) => `${path}?${new URLSearchParams(make(place))}`)
  const known = await knownListings(client)
  // Every second query of a filter also has a common word.
  const alone = (place: number): Record<string, string> => (place % 2 ? { search: words[place] ?? '' } : {})
  const word = (from: number, to: number) => words[from + chance.below(to - from)] ?? ''
  const filters = (place: number) => filtersOf(place, chance)
  return {
    'no words, newest': many((place) => ({ limit: String(pageSize + (place % 12)), ...(place % 2 && filters(place)) })),
    'common word': many((place) => ({ search: words[place] ?? '' })),
    'two common words': many((place) => ({ search: `${words[place] ?? ''} ${words[(place * 7 + 3) % 80] ?? ''}` })),
    'rare word': many(() => ({ search: word(5000, 15_000) })),
    'mistyped word': many(() => ({ search: mistyped(word(200, 5000), chance) })),
    'word and filters': many((place) => ({ search: words[place] ?? '', ...filters(place) })),
    'word by price': many((place) => ({ search: word(20, 400), sort: place % 2 ? 'price-asc' : 'price-desc' })),
    'price ascending': many((place) => ({ sort: 'price-asc', ...filters(place) })),
    'price descending': many((place) => ({ sort: 'price-desc', ...filters(place) })),
    'ending soon': many((place) => ({
      sort: 'ending-soon',
      category: categories[place % categories.length] ?? '',
      limit: String(pageSize + place),
    })),
    synonyms: many((place) => ({
      search: [place % 2 ? words[place] : '', chance.pick(wordsWithSynonyms)].join(' ').trim(),
      ...(place % 4 > 1 && { sort: 'price-asc' }),
    })),
    'category word': many((place) => ({
      search: [place % 2 ? words[place] : '', categories[place % categories.length]].join(' ').trim(),
    })),
    'filter by format': many((place) => ({ format: place % 4 > 1 ? 'auction' : 'fixed', ...alone(place) })),
    'filter by shipping': many((place) => ({ freeShipping: 'true', ...alone(place), limit: String(pageSize + place) })),
    'filter by location': many((place) => ({ location: places[place % places.length] ?? '', ...alone(place) })),
    'filter by seller': many((place) => ({ seller: known[place]?.seller ?? '', ...alone(place) })),
    facets: many((place) => ({ search: word(20, 2000), ...(place % 2 && filters(place)) }), '/api/listings/facets'),
    similar: known.map(({ id }) => `/api/listings/${id}/similar?fields=card`),
    recovery: many(
      (place) => ({ search: `${words[place] ?? ''} ${mistyped(word(5000, 15_000), chance)}`, condition: 'new' }),
      '/api/search/recovery',
    ),
    [`page ${farPage}`]: (await farPositions(client)).map(
      ({ sort, position }) => `/api/listings?${new URLSearchParams({ sort, cursor: writeCursor(position) })}`,
    ),
  }
}

function filtersOf(place: number, chance: Random): Record<string, string> {
  const [category, condition] = [chance.pick(categories), chance.pick(conditions)]
  if (place % 3 === 0) return { category }
  return place % 3 === 1
    ? { category, condition }
    : { category, minPrice: String(5 + chance.below(50)), maxPrice: '900' }
}

// Listings of any age, with their sellers.
async function knownListings(client: pg.Client): Promise<{ id: string; seller: string }[]> {
  const { rows } = await client.query<{ id: string; seller: string }>(
    `select id, seller_id as seller from listings where is_active order by md5(id::text) limit $1`,
    [perKind],
  )
  return rows
}

// A reader of the far page arrives with the last listing of the page before. Small catalogs have no such page and use
// the last one.
async function farPositions(client: pg.Client): Promise<{ sort: string; position: Position }[]> {
  const { rows } = await client.query<{ id: string; at: Date; dearest: string; cents: number }>(
    `with few as (select greatest(0, least($1, (select count(*) from listings) - $2 - 60))::int as place),
       newest as (select id, created_at, row_number() over () as n from (
         select id, created_at from listings where is_active order by created_at desc, id desc
         offset (select place from few) limit 30) as there),
       dearest as (select id, shown_price_cents, row_number() over () as n from (
         select id, shown_price_cents from listings where is_active order by shown_price_cents desc, id desc
         offset (select place from few) limit 30) as there)
     select newest.id, created_at as at, dearest.id as dearest, shown_price_cents as cents from newest join dearest using (n)`,
    [(farPage - 1) * pageSize, pageSize],
  )
  return rows.flatMap(({ id, at, dearest, cents }) => [
    { sort: 'newest', position: { in: 'newest' as const, at: at.toISOString(), id } },
    { sort: 'price-desc', position: { in: 'dearest' as const, cents, id: dearest } },
  ])
}
