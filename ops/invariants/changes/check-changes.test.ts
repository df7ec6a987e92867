import { schemas } from '@marketplace/contracts/services.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '../check-invariants.ts'
import { createChangeChecker, type Look } from './check-changes.ts'

let database: TestDatabase
let admin: pg.Client
let sources: { databaseUrl: string }

beforeAll(async () => {
  database = await testDatabase(...schemas)
  sources = { databaseUrl: database.urlFor('ops_reader') }
  admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
})
beforeEach(async () => {
  await admin.query('truncate payments.transactions, payments.outbox, payments.journals, payments.entries cascade')
  await admin.query('drop table if exists ops.invariant_state')
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

const invariant = 'each live or completed sale has its hold'

/** Inserts paid sales, which violate invariants because they have no hold. Returns the ids of their listings. */
async function insertSales(count: number): Promise<string[]> {
  const listingIds = Array.from({ length: count }, newId)
  await admin.query(
    `insert into payments.transactions (id, listing_id, buyer_id, transaction_type, owner, state, seller_id, listing_title,
      sale_price, shipping_cost, transaction_fee, seller_amount, amount, intent_id, expires_at)
    select gen_random_uuid(), id, gen_random_uuid(), 'buy_now', 'catalog', 'paid', gen_random_uuid(), 'A lamp',
      1999, 450, 100, 1899, 2549, 'pi_' || id, clock_timestamp() from unnest($1::uuid[]) as id`,
    [listingIds],
  )
  return listingIds
}

/** Inserts a published event of each listing that occurred this many seconds ago. */
async function insertEvents(listingIds: readonly string[], secondsAgo: number): Promise<void> {
  await admin.query(
    `insert into payments.outbox (id, topic, key, type, version, occurred_at, payload, published_at)
    select gen_random_uuid(), 'payments', id, 'X', 1, clock_timestamp() - $2 * interval '1 second', '{}', clock_timestamp()
    from unnest($1::text[]) as id`,
    [listingIds, secondsAgo],
  )
}

const messagesIn = ({ results }: Look) =>
  results.find(({ name }) => name === invariant)?.violations.map(({ message }) => message)

/** Returns a checker whose first check has stored the newest positions. */
async function checkerFromNow() {
  const checker = createChangeChecker(sources)
  await checker.look()
  return checker
}

describe('a look at the changes', () => {
  it('finds a violation of a listing with an event, and not that of a listing without one', async () => {
    const checker = await checkerFromNow()
    const [changed = '', unchanged = ''] = await insertSales(2)
    await insertEvents([changed], 61)
    const found = messagesIn(await checker.look())
    expect(found).toEqual([expect.stringContaining(changed)])
    const all = (await checkInvariants(sources)).find(({ name }) => name === invariant)
    expect(all?.violations.map(({ message }) => message).join()).toContain(unchanged)
  })

  it('leaves events of the last minute to a later look, because earlier ones may not be committed', async () => {
    const checker = await checkerFromNow()
    const listingIds = await insertSales(1)
    await insertEvents(listingIds, 30)
    expect(messagesIn(await checker.look())).toEqual([])
    await admin.query(`update payments.outbox set occurred_at = clock_timestamp() - interval '61 seconds'`)
    expect(messagesIn(await checker.look())).toHaveLength(1)
  })

  it('covers 500 events of a schema, and the next one the rest', async () => {
    const checker = await checkerFromNow()
    await insertEvents(await insertSales(501), 61)
    const first = await checker.look()
    expect([messagesIn(first)?.length, first.isBehind]).toEqual([500, true])
    const second = await checker.look()
    expect([messagesIn(second)?.length, second.isBehind]).toEqual([501, false])
  })

  it('checks at most 1000 listings again because of violations', async () => {
    const checker = await checkerFromNow()
    await insertEvents(await insertSales(1001), 61)
    const looks = [await checker.look(), await checker.look(), await checker.look()]
    expect(looks.map((look) => messagesIn(look)?.length)).toEqual([500, 1000, 1000])
    const { rows } = await admin.query<{ suspects: number }>(
      `select json_array_length(state -> 'suspects') as suspects from ops.invariant_state`,
    )
    expect(rows).toEqual([{ suspects: 1000 }])
  })

  it('covers 100 journals', async () => {
    const checker = await checkerFromNow()
    const listingIds = await insertSales(101)
    await admin.query(
      `with posted as (
        insert into payments.journals (id, sale_id, kind, recorded_at)
        select gen_random_uuid(), id, 'capture', clock_timestamp() - interval '61 seconds' from payments.transactions
        where listing_id = any($1::uuid[]) returning id
      )
      insert into payments.entries (journal_id, line, account, amount)
      select id, line, case line when 0 then 'provider' else 'seller' end, case line when 0 then 1 else -1 end
      from posted, generate_series(0, 1) as line`,
      [listingIds],
    )
    const first = await checker.look()
    expect([messagesIn(first)?.length, first.isBehind]).toEqual([100, true])
  })

  it('continues after a restart at the stored position', async () => {
    await checkerFromNow()
    await insertEvents(await insertSales(1), 61)
    expect(messagesIn(await createChangeChecker(sources).look())).toHaveLength(1)
    expect(messagesIn(await createChangeChecker(sources).look())).toHaveLength(1)
  })

  it('finds a violation until it is repaired', async () => {
    const checker = await checkerFromNow()
    await insertEvents(await insertSales(1), 61)
    expect(messagesIn(await checker.look())).toHaveLength(1)
    expect(messagesIn(await checker.look())).toHaveLength(1)
    await admin.query('truncate payments.transactions cascade')
    expect(messagesIn(await checker.look())).toEqual([])
    expect((await checker.look()).results.flatMap(({ violations }) => violations)).toEqual([])
  })

  it('keeps its position in memory where the schema ops does not exist', async () => {
    await admin.query('alter schema ops rename to hidden')
    try {
      const checker = await checkerFromNow()
      await insertEvents(await insertSales(1), 61)
      expect(messagesIn(await checker.look())).toHaveLength(1)
    } finally {
      await admin.query('alter schema hidden rename to ops')
    }
  })
})
