import type { Locator } from '@playwright/test'
import { expect, test } from '../../support/fixtures/page-fixture.ts'

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
