import type { Browser, Locator, Page } from '@playwright/test'
import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { closePage, expect, pagesUrl, test, type Item } from '../../support/fixtures/page-fixture.ts'

const uploaded = /\/pictures\/[\da-f-]+\/(\d+)\.(webp|jpg)$/

/** Opens a page on a screen with a device scale factor of 2, and records the pictures that it loads. */
async function openHighDensityPage(browser: Browser, width: number): Promise<{ page: Page; files: string[] }> {
  const context = await browser.newContext({
    baseURL: pagesUrl(),
    deviceScaleFactor: 2,
    viewport: { width, height: 900 },
  })
  const page = await context.newPage()
  const files: string[] = []
  page.on('request', (request) => {
    if (uploaded.test(request.url())) files.push(request.url())
  })
  return { page, files }
}

/** Returns the size of the chosen file and the number of device pixels that the picture covers. */
function measure(image: Locator) {
  return image.evaluate(async (element: HTMLImageElement) => {
    const file = new Image()
    file.src = element.currentSrc
    await file.decode()
    const pixels = { width: element.clientWidth * devicePixelRatio, height: element.clientHeight * devicePixelRatio }
    return { file: element.currentSrc, width: file.naturalWidth, height: file.naturalHeight, pixels }
  })
}

for (const width of [1280, 390])
  test(`PHOTO-27 pictures on cards are sharp at ${width} pixels and a scale factor of 2, from files of up to 1280 pixels`, async ({
    browser,
  }) => {
    const { page, files } = await openHighDensityPage(browser, width)
    // This search finds portraits and panoramas.
    await page.goto('/?search=framed print')
    const cards = page.getByRole('main').getByRole('article').locator('img')
    await expect(cards).toHaveCount(7)
    for (const image of await cards.all()) {
      await image.scrollIntoViewIfNeeded()
      const { file, width, height, pixels } = await measure(image)
      expect(file).toMatch(/\.webp$/)
      expect(width).toBeGreaterThanOrEqual(pixels.width)
      expect(height).toBeGreaterThanOrEqual(pixels.height)
    }
    expect(Math.max(...files.map((file) => Number(uploaded.exec(file)?.[1])))).toBeLessThanOrEqual(1280)
    await closePage(page)
  })

test('PHOTO-27 a phone fetches each picture of a search as one file', async ({ browser }) => {
  const { page, files } = await openHighDensityPage(browser, 390)
  await page.goto('/?search=camera')
  const first = page.getByRole('main').getByRole('article').locator('img').first()
  await expect.poll(() => first.evaluate((image: HTMLImageElement) => image.complete)).toBe(true)
  const keys = files.map((file) => /[\da-f-]{53}/.exec(file)?.[0])
  expect(files.filter((file) => file.endsWith('.jpg'))).toEqual([])
  expect(keys).toEqual([...new Set(keys)])
  await closePage(page)
})

test('PHOTO-29 the gallery fetches one file, which the prerendered page preloads', async ({ browser }) => {
  const visitor = new MarketplaceClient(pagesUrl())
  const found = await visitor.get<Item[]>('/api/listings?search=blue-gray armchair')
  const item = found.find(({ title }) => title.startsWith('Blue-gray armchair'))
  const { page, files } = await openHighDensityPage(browser, 1280)
  await page.goto(`/listing/${item?.id}`)
  const { file, width } = await measure(page.getByRole('region', { name: 'Pictures' }).locator('img').first())
  // The widest file has the width of the original photograph.
  expect(file).toMatch(/\/1048\.webp$/)
  expect(width).toBe(1048)
  const [key] = /[\da-f-]{53}/.exec(file) ?? []
  expect(files.filter((other) => other.includes(key ?? 'no key'))).toEqual(expect.arrayContaining([file]))
  expect(files.filter((other) => other === file)).toEqual([file])
  await closePage(page)
})
