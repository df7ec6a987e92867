import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FirstAnswer } from '../src/api/first-answer.ts'
import { emptyListing } from '../src/rules/empty-listing.fixture.ts'
import { usualDescription } from '../src/rules/site.ts'
import { origin, startStage, type Stage } from './testing/stage.ts'

const id = '0192f000-0000-7000-8000-000000000001'
const lamp = {
  ...emptyListing,
  id,
  title: 'A lamp',
  description: 'Green,\nwith a cord.',
  image_urls_parsed: ['https://pictures.example/lamp.jpg?a=1&b=2'],
}
const art = { id: 1, name: 'Fine Art', slug: 'art', description: 'Paintings & prints.', created_at: '', updated_at: '' }

const elementWith = (attributes: string) => new RegExp(`<script ${attributes}>([^<]*)</script>`)
const firstAnswerOf = (body: string): FirstAnswer =>
  JSON.parse(elementWith('type="application/json" id="first-answer"').exec(body)?.[1] ?? 'null')
const structuredOf = (body: string) =>
  JSON.parse(elementWith('type="application/ld\\+json" data-filled').exec(body)?.[1] ?? 'null')

const drawnOf = (body: string) => /<div id="root">(.*)<\/div>\n\s*<noscript>/.exec(body)?.[1]

const plain = { statusCode: 200, title: 'Marketplace', description: usualDescription, isFilled: false, drawn: '' }
const answerOf = ({ statusCode, body }: { statusCode: number; body: string }) => ({
  statusCode,
  title: /<title>(.*)<\/title>/.exec(body)?.[1],
  description: /<meta\s+name="description"\s+content="([^"]*)"/.exec(body)?.[1],
  isFilled: body.includes('first-answer'),
  drawn: drawnOf(body),
})

let stage: Stage
const get = (url: string) => stage.app.inject({ url, headers: { accept: 'text/html' } })

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.stop())
beforeEach(() => {
  stage.catalog.answer = (url) => (url === '/api/categories' ? [art] : lamp)
  stage.search.answer = (url, reply) => {
    if (url === '/api/search/trending') return [{ search_term: 'lamp' }]
    reply.header('x-total-count', '61').header('link', '</api/listings?cursor=next>; rel="next"')
    return [lamp]
  }
})

describe('the page of a listing', () => {
  it('is filled within the trace of its request', async () => {
    const traces: unknown[] = []
    stage.catalog.answer = (_url, { request }) => {
      traces.push(request.headers['traceparent'])
      return lamp
    }
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const headers = { accept: 'text/html', traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    await stage.app.inject({ url: `/listing/${id}`, headers })
    expect(traces).toEqual([expect.stringContaining(`00-${traceId}-`)])
  })

  it('says what it is before any script runs', async () => {
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
    [`${origin}/demo-pictures/a.svg`, true],
    ['http://pictures.example/a.jpg', false],
    [undefined, false],
  ])('has its main picture %s fetched early: %s', async (picture, isFetched) => {
    stage.catalog.answer = () => ({ ...lamp, image_urls_parsed: picture === undefined ? [] : [picture] })
    const { body } = await get(`/listing/${id}`)
    expect(body.includes(`referrerpolicy="no-referrer" href="${picture}"`)).toBe(isFetched)
  })

  it('brings the answer along, as catalog gave it to nobody in particular', async () => {
    stage.catalog.asked.length = 0
    const { body } = await stage.app.inject({
      url: `/listing/${id}`,
      headers: { authorization: 'Bearer somebody', cookie: 'access=1', 'x-viewer-id': id },
    })
    expect(firstAnswerOf(body)).toEqual({ at: expect.stringMatching(/^\d{4}-.*Z$/), listing: lamp })
    expect(stage.catalog.asked).toEqual([`/api/listings/${id}`])
  })

  it('keeps a hostile title as text, wherever it stands', async () => {
    const title = '</script><script>alert(1)</script><!-- "\'> \u2028 $& $` ‮'
    stage.catalog.answer = () => ({ ...lamp, title, description: title, image_urls_parsed: [`https://x/${title}`] })
    const { body } = await get(`/listing/${id}`)
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('<!-- "')
    expect(body.match(/<\/script>/g)).toHaveLength(4)
    expect(structuredOf(body).name).toBe(title)
    expect(firstAnswerOf(body).listing?.title).toBe(title)
    expect(body.match(/<\/(?:head|body|html|title)>/g)).toEqual(['</title>', '</head>', '</body>', '</html>'])
  })

  it.each([
    ['unknown to catalog', `/listing/${id}`],
    ['that is no id', '/listing/lamp'],
  ])('of a listing %s is 404 and not to be found', async (_which, url) => {
    stage.catalog.answer = (_url, reply) => reply.code(404).send({ error: 'This listing does not exist.' })
    const { statusCode, body } = await get(url)
    expect(statusCode).toBe(404)
    expect(body).toContain('<title>Listing not found | Marketplace</title>')
    expect(body).toContain('<meta name="robots" content="noindex" />')
    expect(body).not.toContain('first-answer')
    expect(body).not.toContain('canonical')
  })

  it.each([
    ['answers 503', (reply: { code(status: number): { send(body: object): unknown } }) => reply.code(503).send({})],
    ['answers with something else', () => 'nothing of ours'],
  ])('goes out plain when catalog %s', async (_what, answer) => {
    stage.catalog.answer = (_url, reply) => answer(reply)
    expect(answerOf(await get(`/listing/${id}`))).toEqual(plain)
  })
})

describe('the home page', () => {
  it('says what it is and brings its lists, categories and trending searches along', async () => {
    const { body } = await get('/')
    expect(body).toContain('<title>Marketplace: buy, bid and sell</title>')
    expect(body).toContain(`<meta name="description" content="${usualDescription}" />`)
    expect(body).toContain(`<link rel="canonical" href="${origin}/" />`)
    expect(structuredOf(body)).toMatchObject({ '@type': 'WebSite', url: origin })
    expect(structuredOf(body).mainEntity.itemListElement).toHaveLength(1)
    const page = { listings: [lamp], total: '61', link: '</api/listings?cursor=next>; rel="next"' }
    expect(firstAnswerOf(body)).toEqual({
      at: expect.any(String),
      categories: [art],
      trending: [{ search_term: 'lamp' }],
      lists: [
        { filters: {}, ...page },
        { filters: { sort: 'ending-soon', limit: 12 }, ...page },
        { filters: { sort: 'newest', limit: 60 }, ...page },
      ],
    })
  })

  it('of a category or a search is named after it, and searches nothing', async () => {
    stage.search.asked.length = 0
    const { body: category } = await get('/?category=art&minPrice=5&utm_source=x')
    expect(category).toContain('<title>Fine Art for Sale</title>')
    expect(category).toContain('<meta name="description" content="Paintings &amp; prints." />')
    expect(category).toContain(`<link rel="canonical" href="${origin}/?category=art" />`)
    const { body: search } = await get('/?search=%3Cb%3E%22lamp')
    expect(search).toContain('<title>&lt;b&gt;&quot;lamp for Sale</title>')
    expect(firstAnswerOf(search)).toEqual({
      at: expect.any(String),
      categories: [art],
      trending: [{ search_term: 'lamp' }],
      lists: [],
    })
    expect(stage.search.asked).toEqual(['/api/search/trending', '/api/search/trending'])
  })

  it('is filled with what came when catalog or a rail did not', async () => {
    stage.catalog.answer = (_url, reply) => reply.code(503).send({})
    stage.search.answer = (url, reply) => (url === '/api/listings' ? [lamp] : reply.code(503).send({}))
    const { body } = await get('/')
    expect(firstAnswerOf(body)).toEqual({
      at: expect.any(String),
      lists: [{ filters: {}, listings: [lamp], total: null, link: null }],
    })
  })

  it('goes out plain when search refuses', async () => {
    stage.search.answer = (_url, reply) => reply.code(400).send({})
    expect(answerOf(await get('/'))).toEqual(plain)
  })
})

describe('the drawing', () => {
  it.each([
    ['/', '/ with at,lists,categories,trending'],
    [`/listing/${id}?from=mail`, `/listing/${id}?from=mail with at,listing`],
    ['/create-listing', '/create-listing with at'],
  ])('of %s is made of what comes with it, its styles as data', async (url, drawn) => {
    const { body } = await get(url)
    expect(drawnOf(body)).toBe(`<p data-style="--a:b">${drawn}</p>`)
    expect(body).toContain('<script src="/assets/before-1.js" defer blocking="render"></script>')
    expect(body).toContain('<script type="later-module"')
    expect(body).not.toMatch(/<(?:script type="module"|link rel="modulepreload")/)
  })

  it('is left to the page where it asks for more before it shows: of a search, of an unknown page, without categories', async () => {
    const searched = await get('/?search=lamp')
    expect([drawnOf(searched.body), drawnOf((await get('/nothing/here')).body)]).toEqual(['', ''])
    expect(searched.body).not.toContain('before-1.js')
    stage.catalog.answer = (_url, reply) => reply.code(503).send({})
    expect(drawnOf((await get('/')).body)).toBe('')
  })

  it('that fails leaves a filled page that draws itself', async () => {
    stage.catalog.answer = () => ({ ...lamp, title: 'cannot be drawn' })
    const { body } = await get(`/listing/${id}`)
    expect([drawnOf(body), firstAnswerOf(body).listing?.title]).toEqual(['', 'cannot be drawn'])
  })
})

describe('with neighbours that do not answer', () => {
  it.each(['/', `/listing/${id}`])('%s goes out plain when they hang', async (url) => {
    const slow = await startStage({ FILL_TIMEOUT_MS: '20' })
    slow.catalog.answer = slow.search.answer = () => new Promise(() => {})
    expect(answerOf(await slow.app.inject({ url }))).toEqual(plain)
    await slow.stop()
  })

  it.each(['/', `/listing/${id}`])('%s goes out plain when they are down, long before the deadline', async (url) => {
    const alone = await startStage({ FILL_TIMEOUT_MS: '600000' })
    await Promise.all([alone.catalog.stop(), alone.search.stop()])
    expect(answerOf(await alone.app.inject({ url }))).toEqual(plain)
    await alone.stop()
  })
})

describe('for crawlers', () => {
  it('closes nothing and tells where the sitemap is', async () => {
    const { body, headers } = await get('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
  })

  it('lists home, categories and the newest listings', async () => {
    const { body, headers } = await get('/sitemap.xml')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(body.match(/<loc>[^<]*<\/loc>/g)).toEqual([
      `<loc>${origin}/</loc>`,
      `<loc>${origin}/?category=art</loc>`,
      `<loc>${origin}/listing/${id}</loc>`,
    ])
  })

  it('says that there is no sitemap for now when search is down', async () => {
    stage.search.answer = (_url, reply) => reply.code(503).send({})
    expect((await get('/sitemap.xml')).statusCode).toBe(503)
  })
})
