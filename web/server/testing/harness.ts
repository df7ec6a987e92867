import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import type { FastifyInstance } from 'fastify'
import { buildWebApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { startFakeUpstream, type FakeUpstream } from './fake-upstream.ts'

export interface Harness {
  app: FastifyInstance
  catalog: FakeUpstream
  search: FakeUpstream
  stop(): Promise<void>
}

export const origin = 'https://shop.example'

const manifest = {
  'index.html': { file: 'assets/index-abc123.js', imports: ['_shared.js'] },
  'src/app/before-hydration.ts': { file: 'assets/before-1.js' },
  '_shared.js': { file: 'assets/shared-1.js' },
  'src/features/home/HomePage.tsx': {
    file: 'assets/HomePage-1.js',
    imports: ['_shared.js'],
    css: ['assets/HomePage-1.css'],
  },
  'src/features/listing/ListingPage.tsx': { file: 'assets/ListingPage-1.js', imports: ['_picture.js'] },
  '_picture.js': { file: 'assets/Picture-1.js' },
}

// The pages without a file of their own.
const pages = [
  'auth/CallbackPage',
  'auth/SignInPage',
  'create-listing/CreateListingPage',
  'my-listings/MyListingsPage',
  'messages/MessagesPage',
  'sessions/SessionsPage',
]
const morePages = [
  'transactions/TransactionsPage',
  'my-bids/MyBidsPage',
  'offers/OffersPage',
  'blocked-members/BlockedMembersPage',
  'seller/SellerPage',
  'watchlist/WatchlistPage',
  'preferences/PreferencesPage',
]
const legalPages = ['legal/TermsPage', 'legal/PrivacyPage']

/** Renders its arguments, in place of the build of src/app/render-page.tsx. */
const fakeRenderModule = `export async function renderPage({ url, initialData }) {
  if (initialData.listing?.title === 'cannot be rendered') throw new Error('Rendering failed.')
  return '<p style="--a:b">' + url + ' with ' + Object.keys(initialData) + '</p>'
}`

async function writeBuild(dir: string): Promise<void> {
  await mkdir(join(dir, 'dist/assets'), { recursive: true })
  await mkdir(join(dir, 'dist/.vite'))
  await mkdir(join(dir, 'dist/.server'))
  await writeFile(join(dir, 'dist/.server/render-page.js'), fakeRenderModule)
  const others = [...pages, ...morePages, ...legalPages].map((page) => [
    `src/features/${page}.tsx`,
    { file: 'assets/index-abc123.js' },
  ])
  await writeFile(join(dir, 'dist/.vite/manifest.json'), JSON.stringify({ ...manifest, ...Object.fromEntries(others) }))
  await copyFile(join(import.meta.dirname, '../../index.html'), join(dir, 'dist/index.html'))
  await writeFile(join(dir, 'dist/favicon.svg'), '<svg/>')
  await writeFile(join(dir, 'dist/assets/index-abc123.js'), 'run()')
  await writeFile(join(dir, 'dist/assets/index-abc123.js.gz'), gzipSync('run()'))
}

/** Creates the web server with a fake build, the real index.html, and fakes of catalog and search. */
export async function startHarness(settings: Record<string, string> = {}): Promise<Harness> {
  const dir = await mkdtemp(join(tmpdir(), 'web-'))
  await writeBuild(dir)
  const [catalog, search] = await Promise.all([startFakeUpstream(), startFakeUpstream()])
  const config = readConfig({
    PORT: '0',
    INTERNAL_PORT: '0',
    PUBLIC_ORIGIN: origin,
    CATALOG_URL: catalog.url,
    SEARCH_URL: search.url,
    PRERENDER_TIMEOUT_MS: '60000',
    SUPPORT_EMAIL: 'help@shop.example',
    ...settings,
  })
  const app = await buildWebApp(join(dir, 'dist'), config, openLog('web', 'silent'))
  return {
    app,
    catalog,
    search,
    async stop() {
      await Promise.all([app.close(), catalog.stop(), search.stop()])
      await rm(dir, { recursive: true })
    },
  }
}
