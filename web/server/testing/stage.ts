import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openLog } from '@marketplace/kit/log.ts'
import type { FastifyInstance } from 'fastify'
import { buildWebApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { startFakeNeighbour, type FakeNeighbour } from './fake-neighbour.ts'

export interface Stage {
  app: FastifyInstance
  catalog: FakeNeighbour
  search: FakeNeighbour
  stop(): Promise<void>
}

export const origin = 'https://shop.example'

const manifest = {
  'index.html': { file: 'assets/index-abc123.js', imports: ['_shared.js'] },
  'src/app/before-drawing.ts': { file: 'assets/before-1.js' },
  '_shared.js': { file: 'assets/shared-1.js' },
  'src/features/home/HomePage.tsx': {
    file: 'assets/HomePage-1.js',
    imports: ['_shared.js'],
    css: ['assets/HomePage-1.css'],
  },
  'src/features/listing/ListingPage.tsx': { file: 'assets/ListingPage-1.js', imports: ['_picture.js'] },
  '_picture.js': { file: 'assets/Picture-1.js' },
}

// Every other page without a file of its own.
const pages = [
  'auth/CallbackPage',
  'auth/SignInPage',
  'sell/CreateListingPage',
  'mine/MyListingsPage',
  'messages/MessagesPage',
]
const morePages = ['transactions/TransactionsPage', 'watchlist/WatchlistPage', 'preferences/PreferencesPage']
const legalPages = ['legal/TermsPage', 'legal/PrivacyPage']

/** Draws what it was asked for; the real one is a build of src/app/draw-page.tsx. */
const drawing = `export async function drawPage({ address, answer }) {
  if (answer.listing?.title === 'cannot be drawn') throw new Error('It cannot be drawn.')
  return '<p style="--a:b">' + address + ' with ' + Object.keys(answer) + '</p>'
}`

async function layOut(dir: string): Promise<void> {
  await mkdir(join(dir, 'dist/assets'), { recursive: true })
  await mkdir(join(dir, 'dist/.vite'))
  await mkdir(join(dir, 'dist/.server'))
  await mkdir(join(dir, 'pictures'))
  await writeFile(join(dir, 'dist/.server/draw-page.js'), drawing)
  const others = [...pages, ...morePages, ...legalPages].map((page) => [
    `src/features/${page}.tsx`,
    { file: 'assets/index-abc123.js' },
  ])
  await writeFile(join(dir, 'dist/.vite/manifest.json'), JSON.stringify({ ...manifest, ...Object.fromEntries(others) }))
  await copyFile(join(import.meta.dirname, '../../index.html'), join(dir, 'dist/index.html'))
  await writeFile(join(dir, 'dist/favicon.svg'), '<svg/>')
  await writeFile(join(dir, 'dist/assets/index-abc123.js'), 'run()')
  await writeFile(join(dir, 'dist/assets/index-abc123.js.gz'), gzipSync('run()'))
  await writeFile(join(dir, 'pictures/lamp.jpg'), 'lamp')
}

/** Web's server over index.html as it is in the source, between two fake services. */
export async function startStage(settings: Record<string, string> = {}): Promise<Stage> {
  const dir = await mkdtemp(join(tmpdir(), 'web-'))
  await layOut(dir)
  const [catalog, search] = await Promise.all([startFakeNeighbour(), startFakeNeighbour()])
  const config = readConfig({
    PORT: '0',
    INTERNAL_PORT: '0',
    PUBLIC_ORIGIN: origin,
    CATALOG_URL: catalog.url,
    SEARCH_URL: search.url,
    FILL_TIMEOUT_MS: '10000',
    SUPPORT_EMAIL: 'help@shop.example',
    DEMO_PICTURES_DIR: join(dir, 'pictures'),
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
