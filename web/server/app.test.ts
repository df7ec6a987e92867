import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openLog } from '@marketplace/kit/log.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWebApp } from './app.ts'

const indexHtml = '<meta name="support-email" content="support@example.com" /><div id="root"></div>'

describe('the web server', () => {
  let dir: string
  let app: FastifyInstance

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'web-'))
    await mkdir(join(dir, 'dist/assets'), { recursive: true })
    await mkdir(join(dir, 'pictures'))
    await writeFile(join(dir, 'dist/index.html'), indexHtml)
    await writeFile(join(dir, 'dist/favicon.svg'), '<svg/>')
    await writeFile(join(dir, 'dist/assets/index-abc123.js'), 'run()')
    await writeFile(join(dir, 'dist/assets/index-abc123.js.gz'), gzipSync('run()'))
    await writeFile(join(dir, 'pictures/lamp.jpg'), 'lamp')
    const settings = { SUPPORT_EMAIL: 'help@shop.example', DEMO_PICTURES_DIR: join(dir, 'pictures') }
    app = await buildWebApp(join(dir, 'dist'), settings, openLog('web', 'silent'))
  })

  afterAll(async () => {
    await app.close()
    await rm(dir, { recursive: true })
  })

  function get(url: string, headers: Record<string, string> = { accept: 'text/html' }) {
    return app.inject({ url, headers })
  }

  it.each([
    '/',
    '/?search=lamp',
    '/auth/callback?code=c',
    '/sign-in',
    '/listing/0192f000-0000-7000-8000-000000000001',
    '/create-listing',
    '/my-listings',
    '/messages',
    '/transactions',
    '/watchlist',
    '/notification-preferences',
    '/terms',
    '/privacy',
  ])('answers the page %s with index.html, never from a cache, with the support address filled in', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-cache')
    expect(response.body).toBe(indexHtml.replace('support@example.com', 'help@shop.example'))
  })

  it('answers an unknown page with the page that says so, and 404', async () => {
    const response = await get('/nothing/here')
    expect([response.statusCode, response.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  })

  it.each(['/assets/old-123.js', '/nothing.png', '/.env', '/assets/../../package.json', '/index.html.gz'])(
    'answers the unknown file %s with 404',
    async (url) => {
      const response = await get(url)
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ code: 'not_found' })
    },
  )

  it('keeps files with a hash in their name for good, others for an hour', async () => {
    const [hashed, favicon] = await Promise.all([get('/assets/index-abc123.js'), get('/favicon.svg')])
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(hashed.headers['content-type']).toContain('javascript')
    expect(favicon.headers['cache-control']).toBe('public, max-age=3600')
  })

  it('sends the compressed twin to who takes it', async () => {
    const response = await get('/assets/index-abc123.js', { 'accept-encoding': 'gzip' })
    expect(response.headers['content-encoding']).toBe('gzip')
    expect(response.headers['vary']?.toLowerCase()).toContain('accept-encoding')
  })

  it('serves the pictures of the demo data', async () => {
    expect((await get('/demo-pictures/lamp.jpg')).body).toBe('lamp')
    expect((await get('/demo-pictures/none.jpg')).statusCode).toBe(404)
  })
})
