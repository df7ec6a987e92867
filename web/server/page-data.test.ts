import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyListing } from '../src/rules/empty-listing.fixture.ts'
import { defaultDescription } from '../src/rules/site.ts'
import { origin, startHarness, type Harness } from './testing/harness.ts'
import { initialDataOf, rootHtmlOf, structuredOf, summaryOf } from './testing/page-parts.ts'

const dayMs = 24 * 3_600_000
const id = '0192f000-0000-7000-8000-000000000001'
const lamp = {
  ...emptyListing,
  id,
  title: 'A lamp',
  description: 'Green,\nwith a cord.',
  image_urls_parsed: ['https://pictures.example/lamp.jpg?a=1&b=2'],
}
const art = { id: 1, name: 'Fine Art', slug: 'art', description: 'Paintings & prints.', created_at: '', updated_at: '' }

const withoutData = {
  statusCode: 200,
  title: 'Marketplace',
  description: defaultDescription,
  hasInitialData: false,
  rootHtml: '',
}
let harness: Harness
const get = (url: string) => harness.app.inject({ url, headers: { accept: 'text/html' } })

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(() => {
  harness.catalog.respond = (url) => (url === '/api/categories' ? [art] : lamp)
  harness.search.respond = (url, reply) => {
    if (url === '/api/search/trending') return [{ search_term: 'lamp' }]
    reply.header('x-total-count', '61').header('link', '</api/listings?cursor=next>; rel="next"')
    return [lamp]
  }
})

describe('the page of a listing', () => {
  it('loads its data within the trace of the page request', async () => {
    const traces: unknown[] = []
    harness.catalog.respond = (_url, { request }) => {
      traces.push(request.headers['traceparent'])
      return lamp
    }
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const headers = { accept: 'text/html', traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    await harness.app.inject({ url: `/listing/${id}`, headers })
    expect(traces).toEqual([expect.stringContaining(`00-${traceId}-`)])
  })

  it('contains its metadata without scripts', async () => {
    const { body, statusCode } = await get(`/listing/${id}`)
    expect(statusCode).toBe(200)
    expect(body.match(/<title>.*?<\/title>/g)).toEqual(['<title>A lamp | Marketplace</title>'])
    expect(body.match(/<meta name="description".*?>/g)).toEqual([
      '<meta name="description" content="Green, with a cord." />',
    ])
    expect(body).toContain(`<link rel="canonical" href="${origin}/listing/${id}" />`)
    expect(body).toContain('<meta property="og:title" content="A lamp | Marketplace" />')
    expect(body).toContain('<meta property="og:type" content="product" />')
    expect(body).toContain(`<meta property="og:url" content="${origin}/listing/${id}" />`)
    expect(body).toContain('<meta property="og:image" content="https://pictures.example/lamp.jpg?a=1&amp;b=2" />')
    expect(body).not.toContain('noindex')
    expect(structuredOf(body)).toMatchObject({
      '@type': 'Product',
      name: 'A lamp',
      offers: { '@type': 'Offer', price: '10.00', priceCurrency: 'USD', url: `${origin}/listing/${id}` },
    })
  })

  it.each([
    ['https://pictures.example/a.jpg', true],
    [`${origin}/a.jpg`, true],
    ['http://pictures.example/a.jpg', false],
    [undefined, false],
  ])('preloads the main picture %s: %s', async (picture, isPreloaded) => {
    harness.catalog.respond = () => ({
      ...lamp,
      pictures: undefined,
      image_urls_parsed: picture === undefined ? [] : [picture],
    })
    const { body } = await get(`/listing/${id}`)
    expect(body.includes(`referrerpolicy="no-referrer" href="${picture}"`)).toBe(isPreloaded)
  })

  it('PHOTO-29 preloads the files of an uploaded main picture in its best format', async () => {
    const base = '/pictures/0192f000-0000-7000-8000-000000000001-ab'
    const facts = { base, widths: [320, 640], formats: ['webp', 'jpeg'], width: 640, height: 480, thumbhash: 'AAAA' }
    harness.catalog.respond = () => ({ ...lamp, pictures: [{ url: `${base}/1280.jpg`, alt: null, ...facts }] })
    const { body } = await get(`/listing/${id}`)
    const sources = `imagesrcset="${base}/320.webp 320w, ${base}/640.webp 640w"`
    expect(body).toContain(`type="image/webp" ${sources} imagesizes="(max-width: 56em) 100vw, 48rem" />`)
  })

  it('embeds the data that catalog returns without credentials', async () => {
    harness.catalog.requests.length = 0
    const { body } = await harness.app.inject({
      url: `/listing/${id}`,
      headers: { authorization: 'Bearer somebody', cookie: 'access=1', 'x-viewer-id': id },
    })
    expect(initialDataOf(body)).toEqual({ at: expect.stringMatching(/^\d{4}-.*Z$/), listing: lamp })
    expect(harness.catalog.requests).toEqual([`/api/listings/${id}`])
  })

  it('escapes a hostile title everywhere', async () => {
    const title = '</script><script>alert(1)</script><!-- "\'> \u2028 $& $` ‮'
    harness.catalog.respond = () => ({ ...lamp, title, description: title, image_urls_parsed: [`https://x/${title}`] })
    const { body } = await get(`/listing/${id}`)
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('<!-- "')
    expect(body.match(/<\/script>/g)).toHaveLength(4)
    expect(structuredOf(body).name).toBe(title)
    expect(initialDataOf(body).listing?.title).toBe(title)
    expect(body.match(/<\/(?:head|body|html|title)>/g)).toEqual(['</title>', '</head>', '</body>', '</html>'])
  })

  it.each([
    ['that does not exist', `/listing/${id}`],
    ['with an invalid id', '/listing/lamp'],
  ])('returns 404 with noindex for a listing %s', async (_which, url) => {
    harness.catalog.respond = (_url, reply) => reply.code(404).send({ error: 'This listing does not exist.' })
    const { statusCode, body } = await get(url)
    expect(statusCode).toBe(404)
    expect(body).toContain('<title>Listing not found | Marketplace</title>')
    expect(body).toContain('<meta name="robots" content="noindex" />')
    expect(body).not.toContain('initial-data')
    expect(body).not.toContain('canonical')
  })

  it.each([
    ['while it is active', null, false],
    ['90 days after its end', 90 * dayMs - 60_000, false],
    ['more than 90 days after its end', 90 * dayMs + 60_000, true],
  ])('LIFE-30 has status 200, and noindex only later: %s', async (_when, endedMs, isLeftOut) => {
    const ended_at = endedMs === null ? null : new Date(Date.now() - endedMs).toISOString()
    harness.catalog.respond = () => ({ ...lamp, is_active: ended_at === null, ended_at })
    const { statusCode, body } = await get(`/listing/${id}`)
    expect([statusCode, body.includes('<meta name="robots" content="noindex" />')]).toEqual([200, isLeftOut])
  })

  it.each([
    ['returns 503', (reply: { code(status: number): { send(body: object): unknown } }) => reply.code(503).send({})],
    ['returns an unexpected body', () => 'not JSON'],
  ])('is served without initial data if catalog %s', async (_what, respond) => {
    harness.catalog.respond = (_url, reply) => respond(reply)
    expect(summaryOf(await get(`/listing/${id}`))).toEqual(withoutData)
  })
})

describe('the home page', () => {
  it('contains its metadata and embeds lists, categories and trending searches', async () => {
    const { body } = await get('/')
    expect(body).toContain('<title>Marketplace: buy, bid and sell</title>')
    expect(body).toContain(`<meta name="description" content="${defaultDescription}" />`)
    expect(body).toContain(`<link rel="canonical" href="${origin}/" />`)
    expect(structuredOf(body)).toMatchObject({ '@type': 'WebSite', url: origin })
    expect(structuredOf(body).mainEntity.itemListElement).toHaveLength(1)
    const page = { corrected: null, listings: [lamp], total: '61', link: '</api/listings?cursor=next>; rel="next"' }
    const short = { ...page, listings: [{ ...lamp, description: '' }] }
    expect(initialDataOf(body)).toEqual({
      at: expect.any(String),
      categories: [art],
      trending: [{ search_term: 'lamp' }],
      lists: [
        { filters: {}, ...short },
        { filters: { sort: 'ending-soon', limit: 12 }, ...short },
        // The rails show at least four listings.
        { filters: { sort: 'newest', limit: 60 }, ...page, listings: [] },
      ],
    })
  })

  it('embeds only the newest listings that the rails show', async () => {
    const newest = Array.from({ length: 60 }, (_, place) => ({
      ...lamp,
      id: `listing-${place}`,
      shipping_cost: place % 2,
    }))
    harness.search.respond = (url) => (url.includes('sort=newest') ? newest : [])
    const { lists } = initialDataOf((await get('/')).body)
    const free = newest.filter(({ shipping_cost }) => shipping_cost === 0)
    expect(lists?.[2]?.listings.map((listing) => listing.id)).toEqual(free.slice(0, 12).map((listing) => listing.id))
  })

  it('embeds descriptions for the list layout', async () => {
    const { lists } = initialDataOf((await get('/?view=list')).body)
    expect(lists?.[0]?.listings).toEqual([lamp])
  })

  it('has the title of its category or search', async () => {
    const { body: category } = await get('/?category=art&minPrice=5&utm_source=x')
    expect(category).toContain('<title>Fine Art for Sale</title>')
    expect(category).toContain('<meta name="description" content="Paintings &amp; prints." />')
    expect(category).toContain(`<link rel="canonical" href="${origin}/?category=art" />`)
    const { body: search } = await get('/?search=%3Cb%3E%22lamp')
    expect(search).toContain('<title>&lt;b&gt;&quot;lamp for Sale</title>')
  })

  it('embeds the remaining data if catalog or a rail fails', async () => {
    harness.catalog.respond = (_url, reply) => reply.code(503).send({})
    harness.search.respond = (url, reply) => (url === '/api/listings?fields=card' ? [lamp] : reply.code(503).send({}))
    const { body } = await get('/')
    expect(initialDataOf(body)).toEqual({
      at: expect.any(String),
      lists: [{ filters: {}, listings: [{ ...lamp, description: '' }], total: null, link: null, corrected: null }],
    })
  })

  it.each([
    ['/', false],
    ['/?category=art', false],
    ['/?minPrice=5&maxPrice=20', false],
    ['/?category=art&sort=newest', false],
    ['/?search=lamp', true],
    ['/?category=art&condition=new', true],
    ['/?format=auction&freeShipping=true', true],
  ])('SRCH-23 %s is left out by search engines: %s', async (path, isLeftOut) => {
    const { body } = await get(path)
    expect(body.includes('<meta name="robots" content="noindex, follow" />')).toBe(isLeftOut)
  })

  it('is served without initial data if search returns an error', async () => {
    harness.search.respond = (_url, reply) => reply.code(400).send({})
    expect(summaryOf(await get('/'))).toEqual(withoutData)
  })
})

describe('prerendering', () => {
  it.each([
    ['/', '/ with at,lists,categories,trending'],
    [`/listing/${id}?from=mail`, `/listing/${id}?from=mail with at,listing`],
    ['/create-listing', '/create-listing with at'],
  ])('of %s uses the embedded data and moves styles to data attributes', async (url, content) => {
    const { body } = await get(url)
    expect(rootHtmlOf(body)).toBe(`<p data-style="--a:b">${content}</p>`)
    expect(body).toContain('<script src="/assets/before-1.js" defer blocking="render"></script>')
    expect(body).toContain('<script type="deferred-module"')
    expect(body).not.toMatch(/<(?:script type="module"|link rel="modulepreload")/)
  })

  it('is skipped if the page needs more data: for an unknown page, without categories', async () => {
    expect(rootHtmlOf((await get('/nothing/here')).body)).toBe('')
    harness.catalog.respond = (_url, reply) => reply.code(503).send({})
    expect(rootHtmlOf((await get('/')).body)).toBe('')
  })

  it('that fails leaves a page with initial data that the browser renders', async () => {
    harness.catalog.respond = () => ({ ...lamp, title: 'cannot be rendered' })
    const { body } = await get(`/listing/${id}`)
    expect([rootHtmlOf(body), initialDataOf(body).listing?.title]).toEqual(['', 'cannot be rendered'])
  })
})

describe('with unavailable upstreams', () => {
  it.each(['/', `/listing/${id}`])('%s is served without initial data if they hang', async (url) => {
    const slow = await startHarness({ PRERENDER_TIMEOUT_MS: '20' })
    slow.catalog.respond = slow.search.respond = () => new Promise(() => {})
    expect(summaryOf(await slow.app.inject({ url }))).toEqual(withoutData)
    await slow.stop()
  })

  it.each(['/', `/listing/${id}`])(
    '%s is served without initial data before the deadline if they refuse connections',
    async (url) => {
      const alone = await startHarness({ PRERENDER_TIMEOUT_MS: '600000' })
      await Promise.all([alone.catalog.stop(), alone.search.stop()])
      expect(summaryOf(await alone.app.inject({ url }))).toEqual(withoutData)
      await alone.stop()
    },
  )
})

describe('for crawlers', () => {
  it('disallows nothing and links the sitemap', async () => {
    const { body, headers } = await get('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
  })

  it('lists the home page, categories and the newest listings in the sitemap', async () => {
    const { body, headers } = await get('/sitemap.xml')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(body.match(/<loc>[^<]*<\/loc>/g)).toEqual([
      `<loc>${origin}/</loc>`,
      `<loc>${origin}/?category=art</loc>`,
      `<loc>${origin}/listing/${id}</loc>`,
    ])
  })

  it('returns 503 for the sitemap if search is unavailable', async () => {
    harness.search.respond = (_url, reply) => reply.code(503).send({})
    expect((await get('/sitemap.xml')).statusCode).toBe(503)
  })
})
