import { chromium, type Browser, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { browserOptions, chooseBrowser } from './browser.ts'
import { loadPictures } from './load-pictures.ts'

const picture = { contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' }
const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()

let browser: Browser

beforeAll(async () => {
  await chooseBrowser()
  browser = await chromium.launch(browserOptions())
})
afterAll(async () => {
  await browser.close()
  delete process.env['E2E_BROWSER']
})

/** Opens a page with a picture that loads only after `release`. */
async function openPage(): Promise<Page> {
  const page = await browser.newPage()
  await page.route('http://pictures.example/late.svg', async (route) => {
    await isReleased
    await route.fulfill(picture)
  })
  await page.route('http://pictures.example/lazy.svg', (route) => route.fulfill(picture))
  await page.setContent('<img src="http://pictures.example/late.svg">', { waitUntil: 'commit' })
  return page
}

it('loads lazy pictures that the page adds below the window while other pictures load', async () => {
  const page = await openPage()
  const loaded = loadPictures(page)
  await page.evaluate(() => {
    const space = Object.assign(document.createElement('div'), { style: 'height: 100000px' })
    const image = Object.assign(new Image(), { loading: 'lazy', src: 'http://pictures.example/lazy.svg' })
    document.body.append(space, image)
  })
  release()
  await loaded
  expect(await page.evaluate(() => [...document.images].map((image) => image.naturalWidth))).toEqual([9, 9])
})
