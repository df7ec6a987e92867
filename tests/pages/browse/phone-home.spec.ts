import type { Locator } from '@playwright/test'
import { expect, openHydrated, test } from '../../support/fixtures/page-fixture.ts'

const top = async (part: Locator) => (await part.boundingBox())?.y ?? NaN

test('PAGE-07 two cards with prices are on the first screen of a phone, below search, trending and chips', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await visitor.setViewportSize({ width: 390, height: 844 })
  await visitor.goto('/')
  const main = visitor.getByRole('main')
  const cards = main.getByRole('region', { name: 'Ending soon' }).getByRole('article')
  for (const index of [0, 1]) {
    await expect(cards.nth(index).getByText(/^\$[\d,.]+/)).toBeInViewport({ ratio: 1 })
    const box = await cards.nth(index).boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? NaN)).toBeLessThanOrEqual(390)
  }
  const trending = main.getByRole('navigation', { name: 'Trending searches' })
  expect((await trending.boundingBox())?.height).toBeLessThan(48)
  const parts = [
    main.getByRole('heading', { level: 1 }),
    main.getByRole('search'),
    trending,
    main.getByRole('navigation', { name: 'Categories' }),
    cards.first(),
    main.getByRole('heading', { name: 'Community' }),
    main.getByRole('heading', { name: 'All listings' }),
  ]
  const tops = await Promise.all(parts.map(top))
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
})

test('PAGE-07 the search box of the header is hidden on a phone while the page has its own', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const inHeader = visitor.getByRole('banner').getByRole('combobox')
  const inPage = visitor.getByRole('main').getByRole('combobox', { name: 'Search listings' })
  await visitor.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/', '/?search=camera', '/?category=art']) {
    await visitor.goto(path)
    await expect(inPage).toBeInViewport({ ratio: 1 })
    await expect(inHeader).toBeHidden()
  }
  await visitor.goto('/terms')
  await expect(inHeader).toBeVisible()
  await visitor.setViewportSize({ width: 1280, height: 844 })
  await visitor.goto('/')
  await expect(inHeader).toBeVisible()
})

test('HOME-04 the chosen category is in view in the row of chips of a phone', async ({ marketplace }) => {
  const { visitor } = marketplace
  const categories = await marketplace.seller.get<{ name: string; slug: string }[]>('/api/categories')
  const last = categories.at(-1)
  await visitor.setViewportSize({ width: 390, height: 844 })
  await openHydrated(visitor, `/?category=${last?.slug}`)
  const chips = visitor.getByRole('navigation', { name: 'Categories' })
  await expect(chips.getByRole('link', { name: last?.name ?? '', exact: true })).toBeInViewport({ ratio: 1 })
  await expect(chips.getByRole('link', { name: 'All Categories' })).not.toBeInViewport()
  expect(await visitor.evaluate(() => window.scrollY)).toBe(0)
  await visitor.reload()
  await expect(chips.getByRole('link', { name: last?.name ?? '', exact: true })).toBeInViewport({ ratio: 1 })
})

test('HOME-05 the buttons of the filter sheet are in view while the filters scroll', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.setViewportSize({ width: 390, height: 844 })
  await openHydrated(visitor, '/?condition=good&minPrice=10&maxPrice=120')
  await visitor.getByRole('button', { name: 'Filters (2)' }).click()
  const sheet = visitor.getByRole('dialog', { name: 'Filters' })
  const location = sheet.getByLabel('Location')
  const apply = sheet.getByRole('button', { name: 'Apply' })
  await expect(location).toBeAttached()
  for (const name of ['Apply', 'Clear']) {
    await expect(sheet.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
  }
  await expect(location).not.toBeInViewport()
  await location.focus()
  await expect(location).toBeInViewport({ ratio: 1 })
  const bottom = async (part: Locator) => (await top(part)) + ((await part.boundingBox())?.height ?? NaN)
  expect(await bottom(location)).toBeLessThan(await top(apply))
  await location.fill('oslo')
  await apply.click()
  await expect(visitor).toHaveURL('/?condition=good&minPrice=10&maxPrice=120&location=oslo')
})
