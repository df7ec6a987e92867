import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let reader: pg.Client

const listings = 30_000
// A lookup counts up to 10,000 matches, and the next segment of the order reads a few more.
const maxRowsRead = 12_000

beforeAll(async () => {
  harness = await createHarness()
  await harness.query('alter table listing_words disable trigger lexemes_of_words')
  await harness.query(
    `insert into listings (id, version, seller_id, title, description, category_id, category_name, category_slug, condition,
       is_auction, price_cents, shipping_cents, location, is_active, accept_offers, is_on_sale, view_count, image_urls,
       created_at, updated_at)
     select uuidv7(), 1, ('01890a5d-ac96-774b-bcce-' || lpad((n % 300)::text, 12, '0'))::uuid,
       'common ' || case n % 3 when 0 then 'third' else 'other' end || case n % 500 when 0 then ' bicycle' else '' end || ' rare' || n / 50,
       '', 1 + n % 4, case when n % 9 < 4 then 'Home Decor' else 'Name' || n % 4 end,
       case when n % 9 < 4 then 'home-decor' else 'slug' || n % 4 end, case n % 5 when 0 then 'new' else 'good' end, false, 100 + n, n % 7 * 100,
       case when n % 100 = 0 then 'Portland' when n % 2 = 0 then 'Reno, NV' else 'Austin' end, true, true, false, 0, '[]',
       now() - n * interval '1 second', now()
     from generate_series(1, ${listings}) as n`,
  )
  await harness.query(
    `insert into listing_words (listing_id, words) select id, setweight(to_tsvector('english', title), 'A') from listings`,
  )
  await harness.query(
    `insert into lexemes select word from ts_stat('select words from listing_words') where word not like ' %'`,
  )
  await harness.query(`insert into vocabulary select distinct unnest(string_to_array(title, ' ')) from listings`)
  await harness.query('analyze listings, listing_words, lexemes, vocabulary')
  reader = new pg.Client({ connectionString: harness.database.url })
  await reader.connect()
  await reader.query(
    `set enable_seqscan = off; set work_mem = '16MB'; set random_page_cost = 1.1; set pg_trgm.similarity_threshold = 0.2`,
  )
}, 120_000)
afterAll(async () => {
  await reader.end()
  await harness.close()
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Sends a request and returns the text and values of every select that the service sent for it. */
async function statementsOf(path: string): Promise<[text: string, values: unknown[]][]> {
  const statements: [string, unknown[]][] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args
    const { text = first, values = second } = typeof first === 'object' && first !== null ? { ...first } : {}
    if (typeof text === 'string' && Array.isArray(values) && /^\s*(select|with)/.test(text))
      statements.push([text, values])
    return Reflect.apply(query, this, args)
  }
  try {
    expect([path, (await harness.request('GET', path)).statusCode]).toEqual([path, 200])
  } finally {
    pg.Client.prototype.query = query
  }
  return statements
}

/** Returns how many rows a statement reads from the two large tables, and whether it scans one of them. */
async function readsOf([text, values]: [string, unknown[]]): Promise<{ rows: number; scans: string[] }> {
  const { rows } = await reader.query(`explain (analyze, format json) ${text}`, values)
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
  const reads = nodes(rows[0]['QUERY PLAN'][0].Plan).filter((node) =>
    ['listings', 'listing_words'].includes(node['Relation Name'] ?? ''),
  )
  const rowsOf = (node: Plan) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops']
  return {
    rows: reads.reduce((sum, node) => sum + rowsOf(node), 0),
    scans: reads.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? ''),
  }
}

const plansOfWords = `
  select statement, custom_plans from pg_prepared_statements
  where statement ~ 'listing_words' and generic_plans + custom_plans > 7`

const seller = '01890a5d-ac96-774b-bcce-000000000007'

describe('no request reads a whole table', () => {
  it.each([
    '/api/listings',
    '/api/listings?search=third',
    '/api/listings?search=common',
    '/api/listings?search=bike',
    '/api/listings?search=common+name1',
    '/api/listings?search=bike&sort=price-asc',
    '/api/listings?search=bycicle',
    '/api/listings?search=home+decor',
    '/api/listings?search=common+home+decor&sort=newest',
    '/api/listings?search=common+rare17x',
    '/api/listings?format=fixed',
    '/api/listings?format=auction',
    '/api/listings?freeShipping=true&search=third',
    '/api/listings?location=Portland',
    '/api/listings?location=austin&sort=price-desc',
    '/api/listings?location=Reno,+NV',
    '/api/listings?location=Reno,+NV&search=common',
    '/api/listings?location=Portland&search=common',
    `/api/listings?seller=${seller}`,
    `/api/listings?seller=${seller}&search=common&sort=price-asc`,
    '/api/listings/facets?search=common',
    '/api/listings/facets?search=bicycle&condition=new',
    '/api/listings/facets?minPrice=100',
    '/api/listings/facets?location=austin',
    `/api/listings/facets?seller=${seller}`,
    '/api/search/recovery?search=bicycle+qwertz&condition=fair&format=auction',
    '/api/search/suggestions?q=thi',
  ])('R15 SRCH-18 %s', async (path) => {
    const statements = await statementsOf(path)
    expect(statements.length).toBeGreaterThan(0)
    for (const statement of statements) {
      const { rows, scans } = await readsOf(statement)
      expect([statement[0], scans]).toEqual([statement[0], []])
      expect([statement[0], rows <= maxRowsRead]).toEqual([statement[0], true])
    }
  })

  // Postgres uses custom plans for the first five executions of a prepared statement, and then a generic plan unless it is
  // more expensive than the custom plans.
  it('R15 a statement on words is planned once per connection', async () => {
    const clients = new Set<pg.Client>()
    const { query } = pg.Client.prototype
    pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
      clients.add(this)
      return Reflect.apply(query, this, args)
    }
    try {
      for (let n = 0; n < 20; n += 1) {
        await harness.request('GET', `/api/listings?search=rare${100 + n}`)
        await harness.request('GET', `/api/listings?search=common&sort=newest&limit=${10 + n}`)
        await harness.request('GET', `/api/listings?search=rareq${100 + n}`)
      }
    } finally {
      pg.Client.prototype.query = query
    }
    const plans = await Promise.all([...clients].map(async (client) => (await client.query(plansOfWords)).rows))
    expect(plans.flat().length).toBeGreaterThan(2)
    for (const { statement, custom_plans: planned } of plans.flat())
      expect([statement, Number(planned)]).toEqual([statement, 5])
  })

  // The first request counts the matches. Their number is then cached.
  it.each([
    'third&sort=newest',
    'third&sort=price-asc',
    'third&sort=price-desc',
    'common&sort=price-asc&minPrice=250',
    'common&sort=price-desc&maxPrice=50',
  ])('R15 a page of a common word reads few rows: %s', async (query) => {
    const path = `/api/listings?search=${query}`
    await harness.request('GET', path)
    for (const statement of await statementsOf(path)) {
      const { rows } = await readsOf(statement)
      expect([statement[0], rows <= 500]).toEqual([statement[0], true])
    }
  })

  it('R15 SRCH-22 similar listings', async () => {
    const [{ id } = { id: '' }] = await harness.query(`select id from listings where title like '%bicycle%' limit 1`)
    for (const statement of await statementsOf(`/api/listings/${String(id)}/similar`)) {
      const { rows, scans } = await readsOf(statement)
      expect([statement[0], scans, rows <= maxRowsRead]).toEqual([statement[0], [], true])
    }
  })
})
