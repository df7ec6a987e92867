import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { deciders } from '../testing/deciders.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

describe.each(deciders)('with $path', ({ createDecider }) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await createHarness(createDecider)
  })
  afterAll(() => harness.close())

  /** Opens an auction with three bids up to $103, so that the optimistic path decides the next one. */
  async function openBusyAuction(): Promise<string> {
    const listingId = await harness.openAuction()
    for (const amount of [101, 102, 103]) await harness.bid(listingId, amount)
    return listingId
  }

  const know = ({ userId }: { userId: string }) => harness.rows('insert into known_buyers values ($1)', [userId])

  const bidUnconfirmed = async (listingId: string, amount: number, confirm: unknown) => {
    const response = await harness.first.service.publicApp.inject({
      method: 'POST',
      url: '/api/bids',
      headers: await harness.keys.authorization(randomUser()),
      payload: { listing_id: listingId, amount, confirm },
    })
    return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
  }

  it('L16 BID-10 rejects a bid of $9,999,999.99, which no card could pay, and the auction goes on', async () => {
    const listingId = await openBusyAuction()
    const rejected = {
      error: "That's more than a card can be charged. The highest possible bid is $952,376.66.",
      code: 'not_chargeable',
      highest_bid: 95_237_666,
    }
    expect(await harness.bid(listingId, 9_999_999.99)).toEqual({ status: 409, body: rejected })
    const buyer = randomUser()
    await know(buyer)
    expect(await harness.bid(listingId, 952_376.67, buyer)).toMatchObject({ status: 409, body: rejected })
    expect(await harness.bid(listingId, 104)).toMatchObject({ status: 201, body: { bid_count: 4 } })
    expect(await harness.bid(listingId, 952_376.66, buyer)).toMatchObject({ status: 201 })
  })

  it('BID-11 asks for a confirmation only if the client sent confirm: false', async () => {
    const listingId = await harness.openAuction({ startingCents: 100 })
    const needed = {
      error: 'Please confirm your bid of $600.00, which is far above the current price.',
      code: 'confirmation_needed',
      amount: 60_000,
      current_bid: null,
      shipping_cost: 450,
      transaction_fee: 3000,
      total: 63_450,
    }
    expect(await bidUnconfirmed(listingId, 600, false)).toEqual({ status: 409, body: needed })
    expect(await harness.rows('select 1 from bids where listing_id = $1', [listingId])).toEqual([])
    expect((await bidUnconfirmed(listingId, 600, 'no')).status).toBe(400)
    expect((await bidUnconfirmed(listingId, 600, true)).status).toBe(201)
    expect((await bidUnconfirmed(listingId, 6600, false)).body).toMatchObject({ current_bid: 60_000 })
    expect((await harness.bid(await harness.openAuction({ startingCents: 100 }), 600)).status).toBe(201)
  })

  it('BID-12 rejects a bid with which leading bids and unpaid wins of a first-time buyer exceed $5,000', async () => {
    const buyer = randomUser()
    const [won, led, last] = [await openBusyAuction(), await openBusyAuction(), await openBusyAuction()]
    // With $4.50 shipping and the fee, each of the two bids totals $2,104.50.
    expect((await harness.bid(won, 2000, buyer)).status).toBe(201)
    expect((await harness.bid(led, 2000, buyer)).status).toBe(201)
    await harness.setEndIn(won, -1)
    await closeDueAuctions(harness.first.ctx)
    const rejected = {
      error: 'Until your first purchase, your bids and unpaid wins can total up to $5,000.00.',
      code: 'exposure_limit',
      limit: 500_000,
      used: 420_900,
    }
    // $4,209.00 of the limit of $5,000.00 is used. A bid of $749.06 totals $791.01, one cent too much. A bid of $749.04
    // totals $790.99.
    expect(await harness.bid(last, 749.06, buyer)).toEqual({ status: 409, body: rejected })
    expect((await harness.bid(last, 749.04, buyer)).status).toBe(201)
    expect(await harness.bid(await openBusyAuction(), 104, buyer)).toMatchObject({ body: { code: 'exposure_limit' } })
  })

  it('BID-12 does not count auctions led by others, the price before a higher bid of one’s own, or paid wins', async () => {
    const buyer = randomUser()
    const [first, second] = [await openBusyAuction(), await openBusyAuction()]
    expect((await harness.bid(first, 2000, buyer)).status).toBe(201)
    expect((await harness.bid(first, 4700, buyer)).status).toBe(201)
    expect((await harness.bid(second, 1000, buyer)).status).toBe(409)
    expect((await harness.bid(first, 4750)).status).toBe(201)
    expect((await harness.bid(second, 4700, buyer)).status).toBe(201)
    await harness.setEndIn(second, -1)
    await closeDueAuctions(harness.first.ctx)
    const third = await openBusyAuction()
    expect((await harness.bid(third, 1000, buyer)).status).toBe(409)
    await harness.rows(`update holds set state = 'sold', settled_at = now() where listing_id = $1`, [second])
    expect((await harness.bid(third, 1000, buyer)).status).toBe(201)
  })

  it('BID-12 has no limit for people with a completed purchase', async () => {
    const buyer = randomUser()
    const listingId = await openBusyAuction()
    expect((await harness.bid(listingId, 6000, buyer)).status).toBe(409)
    await know(buyer)
    expect((await harness.bid(listingId, 6000, buyer)).status).toBe(201)
    expect(await harness.rows('select 1 from first_purchase_leads where user_id = $1', [buyer.userId])).toEqual([])
  })

  it('BID-13 rejects a suspended bidder until the suspension ends, before the auction’s state', async () => {
    const bidder = randomUser()
    const [listingId, ended] = [await openBusyAuction(), await harness.openAuction()]
    const until = new Date('2199-12-03T12:00:00.000Z')
    await harness.rows('insert into bars values ($1, $2, $3, $4)', [
      bidder.userId,
      '00000000-0000-0000-0000-000000000000',
      'unpaid',
      until,
    ])
    await harness.setEndIn(ended, -1)
    const suspended = {
      status: 403,
      body: {
        error: "You can't bid until 12:00 UTC on December 3, 2199, because you didn't pay for 3 wins within 90 days.",
        code: 'bidding_suspended',
        until: until.toISOString(),
      },
    }
    expect(await harness.bid(listingId, 104, bidder)).toEqual(suspended)
    expect(await harness.bid(ended, 104, bidder)).toEqual(suspended)
    expect(await harness.bid(newId(), 104, bidder)).toMatchObject({ status: 404 })
    expect((await harness.bid(listingId, 104)).status).toBe(201)
    await harness.rows(`update bars set until = now() - interval '1 second' where bidder_id = $1`, [bidder.userId])
    expect((await harness.bid(listingId, 105, bidder)).status).toBe(201)
  })

  it('BID-12 never exceeds the limit when a first-time buyer bids on 50 auctions at once', async () => {
    const buyer = randomUser()
    const auctions = await Promise.all(Array.from({ length: 50 }, openBusyAuction))
    const responses = await Promise.all(
      auctions.map((listingId, index) =>
        harness.bid(listingId, 1000, buyer, index % 3 === 0 ? harness.second : harness.first),
      ),
    )
    // Each bid totals $1,054.50, so only four of them stay below the limit of $5,000.00.
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(responses.filter(({ body }) => body['code'] === 'exposure_limit')).toHaveLength(46)
    const [led] = await harness.rows(
      `select count(*)::int as auctions, sum(total_cents)::int as total from first_purchase_leads join auctions using (listing_id)
       where user_id = leader_id and user_id = $1`,
      [buyer.userId],
    )
    expect(led).toEqual({ auctions: 4, total: 4 * 105_450 })
  })

  it('BID-12 never exceeds the limit when 64 first-time buyers bid on the same eight auctions at once', async () => {
    const buyers = Array.from({ length: 64 }, () => randomUser())
    const auctions = await Promise.all(Array.from({ length: 8 }, openBusyAuction))
    const statuses = await Promise.all(
      buyers.flatMap((buyer, turn) =>
        auctions.map(async (listingId, index) => {
          const at = (turn + index) % 2 === 0 ? harness.first : harness.second
          return (await harness.bid(listingId, 1500 + ((turn * 7 + index) % 64), buyer, at)).status
        }),
      ),
    )
    expect(statuses.every((status) => [201, 409].includes(status))).toBe(true)
    const over = await harness.rows(
      `select leader_id, sum(current_bid + shipping + (current_bid * 500 + 5000) / 10000) as total from auctions
       where state = 'open' and leader_id = any($1) group by 1 having sum(current_bid + shipping + (current_bid * 500 + 5000) / 10000) > 500000`,
      [buyers.map(({ userId }) => userId)],
    )
    expect(over).toEqual([])
  })
})
