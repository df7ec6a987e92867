import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, inAnHour, test } from '../../support/fixtures/page-fixture.ts'

type FirstLoad = Record<'home' | 'listing' | 'create', { files: string[]; laterFiles: string[] }>

const counted: FirstLoad = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../web/dist/.vite/first-load.json'), 'utf8'),
)

function scriptsOf(page: Page): Set<string> {
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname.slice(1))
  })
  return scripts
}

function scriptsBeforeFirstPaint(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const firstPaint = performance.getEntriesByType('paint')[0]?.startTime ?? 0
    return performance
      .getEntriesByType('resource')
      .filter((resource) => resource.startTime < firstPaint)
      .map((resource) => new URL(resource.name).pathname.slice(1))
  })
}

test('the build counts every script that home, search, listing and create load before an interaction', async ({
  marketplace,
}) => {
  const fixed = await marketplace.list({ title: 'Counted lamp', price: 40 })
  const auction = await marketplace.list({
    title: 'Counted bids',
    is_auction: true,
    starting_bid: 5,
    auction_end_date: inAnHour(),
  })
  const { page } = await marketplace.signIn('Bo')
  for (const [view, path] of [
    ['home', '/'],
    ['home', '/?search=counted'],
    ['listing', `/listing/${fixed.id}`],
    ['listing', `/listing/${auction.id}`],
    ['create', '/create-listing'],
  ] as const) {
    const loaded = scriptsOf(page)
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const { files, laterFiles } = counted[view]
    expect([...loaded].filter((file) => !files.includes(file) && !laterFiles.includes(file))).toEqual([])
    const early = await scriptsBeforeFirstPaint(page)
    expect(early.filter((file) => laterFiles.includes(file) && !files.includes(file))).toEqual([])
    expect(loaded.size).toBeGreaterThan(3)
    page.removeAllListeners('request')
  }
})
