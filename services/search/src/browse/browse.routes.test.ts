import { beforeEach, describe, expect, it } from 'vitest'
import { auctionEndingIn, makeListing, watches } from '../testing/listings.ts'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'
import { insertMany } from '../testing/insert-many.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

describe('a listing in a list', () => {
  it('HOME-19 has every field of LIST-19 and the latest bid', async () => {
    const end = auctionEndingIn(3600, 10_000)
    const listing = makeListing({
      ...end,
      ...watches,
      description: 'It ticks.',
      buyItNowCents: 20_000,
      shippingCents: 450,
      location: 'Lisbon',
      imageUrls: ['https://pictures.example/a.jpg'],
      viewCount: 3,
    })
    await harness.createListing(listing)
    await harness.placeBid(listing.id, 12_000)
    const { status, total, body } = await harness.browse()
    expect([status, total]).toEqual([200, '1'])
    expect(body).toEqual([
      {
        id: listing.id,
        user_id: listing.sellerId,
        title: 'A brass lamp',
        description: 'It ticks.',
        price: 10_000,
        category_id: 5,
        category: { id: 5, name: 'Watches', slug: 'watches' },
        condition: 'good',
        is_auction: true,
        auction_end_date: expect.stringMatching(/Z$/),
        starting_bid: 10_000,
        current_bid: 12_000,
        buy_it_now_price: 20_000,
        shipping_cost: 450,
        location: 'Lisbon',
        is_active: true,
        accept_offers: false,
        is_on_sale: false,
        original_price: null,
        view_count: 3,
        image_urls: '["https://pictures.example/a.jpg"]',
        image_urls_parsed: ['https://pictures.example/a.jpg'],
        pictures: [
          {
            url: 'https://pictures.example/a.jpg',
            base: null,
            widths: null,
            formats: null,
            width: null,
            height: null,
            thumbhash: null,
            alt: null,
          },
        ],
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        terms_version: 1,
        status: 'active',
        reserved_until: null,
        ended_at: null,
        end_reason: null,
        original_price_kind: null,
      },
    ])
    await harness.placeBid(listing.id, 20_000)
    expect((await harness.browse()).body[0]).toMatchObject({ current_bid: 20_000, buy_it_now_price: null })
  })

  it('disappears when its auction ends, before an event says that it is inactive', async () => {
    await harness.createListing(auctionEndingIn(-1))
    const open = await harness.createListing(auctionEndingIn(600))
    expect((await harness.browse()).ids).toEqual([open])
    expect((await harness.browse({ search: 'lamp' })).ids).toEqual([open])
  })
})

describe('filters', () => {
  it('HOME-19 select by search, category, condition and price, alone and combined', async () => {
    const lamp = await harness.createListing({ priceCents: 1000, condition: 'new' })
    const clock = await harness.createListing({ title: 'A brass clock', priceCents: 2000, ...watches })
    const auction = await harness.createListing({ title: 'A lamp of glass', ...auctionEndingIn(600, 500), ...watches })
    await harness.placeBid(auction, 3000)
    const cases: [Record<string, string>, string[]][] = [
      [{}, [auction, clock, lamp]],
      [{ search: 'lamp' }, [auction, lamp]],
      [{ search: 'brass' }, [clock, lamp]],
      [{ category: 'watches' }, [auction, clock]],
      [{ category: 'no-such' }, []],
      [{ condition: 'new' }, [lamp]],
      [{ minPrice: '20' }, [auction, clock]],
      [{ minPrice: '20.01' }, [auction]],
      [{ maxPrice: '10.00' }, [lamp]],
      [{ maxPrice: '9.99' }, []],
      [{ minPrice: '10', maxPrice: '20' }, [clock, lamp]],
      [{ minPrice: '20', maxPrice: '10' }, []],
      [{ search: 'lamp', category: 'watches', condition: 'good', minPrice: '30', maxPrice: '30' }, [auction]],
      [{ search: 'lamp', category: 'watches', condition: 'poor' }, []],
      [
        { search: '', category: '', condition: '', minPrice: '', maxPrice: '', sort: '', limit: '' },
        [auction, clock, lamp],
      ],
      [{ search: '   ' }, [auction, clock, lamp]],
    ]
    for (const [query, expected] of cases) {
      const { ids, total } = await harness.browse({ sort: 'newest', ...query })
      expect([query, ids, total]).toEqual([query, expected, String(expected.length)])
    }
  })
})

describe('orders and pages', () => {
  // Every sort key has duplicates, so that only the id makes the order unique.
  async function createListings(): Promise<void> {
    for (let index = 0; index < 9; index++) {
      const kind =
        index % 3 === 0 ? auctionEndingIn(600 + (index % 2) * 60, 700) : { priceCents: 500 + (index % 4) * 100 }
      const { createdAt } = makeListing()
      const stamp = { nanos: 0, seconds: (createdAt?.seconds ?? 0n) - ((createdAt?.seconds ?? 0n) % 4n) }
      await harness.createListing({ ...kind, createdAt: { $typeName: 'google.protobuf.Timestamp', ...stamp } })
    }
  }

  const orders: [string, string][] = [
    ['newest', 'created_at desc, id desc'],
    ['price-asc', 'shown_price_cents, id'],
    ['price-desc', 'shown_price_cents desc, id desc'],
    ['ending-soon', 'is_auction desc, auction_end_at, case when is_auction then id end, created_at desc, id desc'],
  ]
  it.each(orders)('%s returns every listing in order for every page size', async (sort, order) => {
    await createListings()
    const expected = (await harness.query(`select id from listings order by ${order}`)).map(({ id }) => id)
    for (const limit of ['1', '2', '3', '9', '100']) {
      const pages = await harness.pages({ sort, limit })
      expect(pages.flat()).toEqual(expected)
      expect(pages).toHaveLength(Math.ceil(9 / Number(limit)))
      expect((await harness.pages({ sort, limit, search: 'lamp' })).flat()).toEqual(expected)
    }
  })

  it('has a link to the next page, with the other parameters, only if one exists', async () => {
    await createListings()
    const { link, total } = await harness.browse({ search: 'lamp', limit: '8' })
    expect(link).toMatch(/^<\/api\/listings\?search=lamp&limit=8&cursor=[\w-]+>; rel="next"$/)
    expect(total).toBe('9')
    expect((await harness.browse({ search: 'lamp', limit: '9' })).link).toBeUndefined()
  })

  it('neither skips nor repeats a listing when others are created between two pages', async () => {
    const old = [await harness.createListing(), await harness.createListing(), await harness.createListing()]
    const queries: Record<string, string>[] = [{ limit: '1' }, { limit: '1', search: 'lamp' }]
    for (const query of queries) {
      const first = await harness.browse(query)
      await harness.createListing()
      const next = /^<(.+)>/.exec(String(first.link))?.[1] ?? ''
      const second = await harness.browse(next)
      expect([...first.ids, ...second.ids]).not.toContain(undefined)
      expect(new Set([...first.ids, ...second.ids]).size).toBe(2)
      expect(old).toContain(second.ids[0])
    }
  })

  it('ranks matches in the title above those in the description, then by age, newest first', async () => {
    const inText = await harness.createListing({ title: 'A chair', description: 'Goes well with a lamp.' })
    const old = await harness.createListing({ title: 'A lamp' })
    const young = await harness.createListing({ title: 'A lamp' })
    expect((await harness.browse({ search: 'lamp' })).ids).toEqual([young, old, inText])
    expect((await harness.pages({ search: 'lamp', limit: '1' })).flat()).toEqual([young, old, inText])
    expect((await harness.browse({ search: 'lamp', sort: 'newest' })).ids).toEqual([young, old, inText])
  })

  it('falls back from relevance to newest first without a search', async () => {
    const ids = [await harness.createListing(), await harness.createListing({ title: 'A chair' })]
    expect((await harness.browse({ sort: 'relevance' })).ids).toEqual(ids.toReversed())
  })

  // Without statistics the search uses the index lookup, with statistics the ordered scan.
  describe.each(['without', 'with'])('of a common word, %s statistics', (statistics) => {
    beforeEach(async () => {
      await insertMany(harness, 10_001, { title: `'A lamp'`, category: `'home-decor'`, cents: 'n' })
      if (statistics === 'with') await harness.query('analyze listings, listing_words')
    })

    it('rank the newest 1,000 matches, continue with older ones by age and count up to 10,000', async () => {
      const expected = await harness.query('select id from listings order by created_at desc, id desc limit 1500')
      const seen: string[] = []
      let next: Record<string, string> | string = { search: 'lamp', limit: '100' }
      while (seen.length < 1500) {
        const { ids, total, link } = await harness.browse(next)
        expect(total).toBe('10000+')
        seen.push(...ids)
        next = /^<(.+)>/.exec(String(link))?.[1] ?? ''
      }
      expect(new Set(seen.slice(0, 1000))).toEqual(new Set(expected.slice(0, 1000).map(({ id }) => id)))
      expect(seen.slice(1000)).toEqual(expected.slice(1000).map(({ id }) => id))
    })

    it.each([
      [{ sort: 'price-asc' }, 'true order by shown_price_cents', '10000+'],
      [{ sort: 'price-desc', maxPrice: '99.99' }, 'price_cents <= 9999 order by shown_price_cents desc', '9999'],
      [{ sort: 'newest', category: 'home-decor', condition: 'good' }, 'true order by created_at desc', '10000+'],
      [{ sort: 'ending-soon', minPrice: '50' }, 'price_cents >= 5000 order by created_at desc', '5002'],
    ])('return the matches in order for %j', async (query, like, found) => {
      const expected = await harness.query(`select id from listings where ${like} limit 48`)
      const first = await harness.browse({ search: 'lamp', ...query })
      const second = await harness.browse(/^<(.+)>/.exec(String(first.link))?.[1] ?? '')
      expect([...first.ids, ...second.ids]).toEqual(expected.map(({ id }) => id))
      expect([first.total, second.total]).toEqual([found, found])
    })
  })
})
