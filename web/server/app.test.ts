import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyListing } from '../src/rules/empty-listing.fixture.ts'
import { startHarness, type Harness } from './testing/harness.ts'

describe('the web server', () => {
  let harness: Harness

  beforeAll(async () => {
    harness = await startHarness()
  })

  afterAll(() => harness.stop())

  function get(url: string, headers: Record<string, string> = { accept: 'text/html' }) {
    return harness.app.inject({ url, headers })
  }

  it.each([
    '/',
    '/?search=lamp',
    '/auth/callback?code=c',
    '/sign-in',
    '/create-listing',
    '/my-listings',
    '/messages',
    '/transactions',
    '/my-bids',
    '/offers',
    '/watchlist',
    '/notification-preferences',
    '/sessions',
    '/blocked-members',
    '/sellers/01890a5d-ac96-774b-bcce-b302099a8057',
    '/terms',
    '/privacy',
  ])('serves the page %s as index.html with the support address and without caching', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-cache')
    expect(response.body).toContain('<meta name="support-email" content="help@shop.example" />')
    expect(response.body).toContain('<div id="root">')
  })

  it('SELLR-04 keeps search engines from listing the page of a member, and no other', async () => {
    expect((await get('/sellers/01890a5d-ac96-774b-bcce-b302099a8057')).headers['x-robots-tag']).toBe('noindex')
    expect((await get('/terms')).headers['x-robots-tag']).toBeUndefined()
  })

  it('serves an HTML page with 404 for an unknown page', async () => {
    const response = await get('/nothing/here')
    expect([response.statusCode, response.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  })

  it.each([
    '/assets/old-123.js',
    '/nothing.png',
    '/.env',
    '/.vite/manifest.json',
    '/.server/render-page.js',
    '/assets/../../package.json',
    '/index.html.gz',
  ])('returns 404 as JSON for the unknown file %s', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'not_found' })
  })

  it('lets browsers cache files with a hash in their name forever, others for an hour', async () => {
    const [hashed, favicon] = await Promise.all([get('/assets/index-abc123.js'), get('/favicon.svg')])
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(hashed.headers['content-type']).toContain('javascript')
    expect(favicon.headers['cache-control']).toBe('public, max-age=3600')
  })

  it('serves the compressed file if the client accepts it', async () => {
    const response = await get('/assets/index-abc123.js', { 'accept-encoding': 'gzip' })
    expect(response.headers['content-encoding']).toBe('gzip')
    expect(response.headers['vary']?.toLowerCase()).toContain('accept-encoding')
  })

  it('compresses a page if the client accepts it', async () => {
    harness.search.respond = () => [emptyListing]
    const response = await get('/', { 'accept-encoding': 'br, gzip' })
    expect(response.headers['content-encoding']).toBe('br')
    expect(response.headers['vary']?.toLowerCase()).toContain('accept-encoding')
  })

  it('links the files of the page in addition to those of the entry', async () => {
    const { body } = await get('/listing/0192f000-0000-7000-8000-000000000001')
    expect(body).toContain('<link rel="modulepreload" crossorigin href="/assets/ListingPage-1.js" />')
    expect(body).toContain('<link rel="modulepreload" crossorigin href="/assets/Picture-1.js" />')
    expect(body).not.toContain('shared-1.js')
    expect((await get('/')).body).toContain('<link rel="stylesheet" crossorigin href="/assets/HomePage-1.css" />')
  })
})
