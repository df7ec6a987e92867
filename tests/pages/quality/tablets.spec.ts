import type { Locator } from '@playwright/test'
import { expect, inAnHour, test, type Item } from '../../support/fixtures/page-fixture.ts'

async function boxOf(target: Locator) {
  const box = await target.boundingBox()
  if (box === null) throw new Error('The element is not visible.')
  return box
}

test('PAGE-21 the listing page has two columns from 48em, and one below', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item: Item = await marketplace.list({ title: 'Tablet lamp', price: 20 })
  const heading = visitor.getByRole('heading', { level: 1 })
  const details = visitor.getByRole('heading', { name: 'Item Details' })
  await visitor.setViewportSize({ width: 768, height: 1024 })
  await visitor.goto(`/listing/${item.id}`)
  expect((await boxOf(heading)).x).toBeGreaterThan((await boxOf(details)).x + 300)
  await visitor.setViewportSize({ width: 767, height: 1024 })
  expect((await boxOf(heading)).x).toBeLessThan((await boxOf(details)).x + 30)
})

test('PAGE-21 the header has icons from 48em to 64em, and their labels are in the menu', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const header = page.getByRole('banner')
  const links = header.getByRole('navigation', { name: 'Account' }).getByRole('link')
  for (const width of [768, 1_000]) {
    await page.setViewportSize({ width, height: 1_024 })
    await page.goto('/terms')
    await expect(header.getByRole('link', { name: 'Messages' }).locator('svg')).toBeVisible()
    const boxes = await Promise.all((await links.all()).map(boxOf))
    expect(boxes).toHaveLength(7)
    for (const { y, width: side } of boxes) {
      expect(side).toBeGreaterThanOrEqual(44)
      expect(y).toBeLessThan(20)
    }
    expect((await boxOf(header)).height).toBeLessThan(72)
  }
  await header.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'My Listings' })).toBeVisible()
})

test('PAGE-21 at every width the header of a member stays one line', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/terms')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Messages' })).toBeVisible()
  for (let width = 768; width <= 1_440; width += 32) {
    await page.setViewportSize({ width, height: 900 })
    expect((await boxOf(header)).height, `at ${width} px`).toBeLessThan(72)
  }
})

test('PAGE-21 in a window lower than 30em nothing is sticky or fixed but the chat button', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const auction = { is_auction: true, starting_bid: 10, auction_end_date: inAnHour() }
  const item = await marketplace.list({ title: 'Flat lamp', ...auction })
  for (const width of [667, 844]) {
    await page.setViewportSize({ width, height: 375 })
    for (const path of [`/listing/${item.id}`, '/create-listing']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (path.startsWith('/listing')) await expect(page.getByRole('button', { name: 'Place Bid' })).toBeAttached()
      const stuck = await page.evaluate(() =>
        [...document.querySelectorAll('body *')]
          .filter((element) => ['sticky', 'fixed'].includes(getComputedStyle(element).position))
          .filter(
            (element) => element.querySelector('[aria-label="Help chat"]') === null && !element.hasAttribute('popover'),
          )
          .map((element) => element.className),
      )
      expect(stuck).toEqual([])
    }
  }
})

test('PAGE-21 the gallery takes at most 70 % of the height of a window', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({
    title: 'Landscape lamp',
    price: 20,
    image_urls: [`${marketplace.url}/favicon.svg`],
  })
  await visitor.setViewportSize({ width: 844, height: 390 })
  await visitor.goto(`/listing/${item.id}`)
  const image = visitor.getByRole('main').getByRole('img').first()
  expect((await boxOf(image)).height).toBeLessThanOrEqual(0.7 * 390)
})

test('PAGE-20 titles are never hyphenated', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Photographic camera equipment', price: 20 })
  await visitor.goto('/?search=Photographic+camera+equipment')
  const card = visitor.getByRole('main').getByRole('link', { name: 'Photographic camera equipment' })
  await expect(card.locator('xpath=..')).toHaveCSS('hyphens', 'manual')
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveCSS('hyphens', 'manual')
})
