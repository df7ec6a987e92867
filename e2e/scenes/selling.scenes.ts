import { expect, type Page } from '@playwright/test'
import type { Market } from '../src/market.ts'
import { plain, seeHeading, type Scene } from '../src/scene.ts'
import { answering, failing, holding } from '../src/shop.ts'

const mine = '**/api/users/me/listings'

async function fillDraft(page: Page, market: Market): Promise<void> {
  await page.goto('/create-listing')
  await page.getByLabel('Title').fill('Wool picnic blanket, tartan, 150 × 200 cm')
  await page
    .getByLabel('Description')
    .fill('Woven in the 1970s, washed cold, one darned corner. It folds into its own strap.')
  await page.getByLabel('Category').selectOption({ index: 3 })
  await page.getByLabel('Location').fill('Malmo, Sweden')
  for (const view of [1, 2]) {
    await page.getByLabel('Image URL').fill(market.picture(`waxed-cotton-coat-navy-size-m-${view}`))
    await page.getByRole('button', { name: 'Add Image' }).click()
  }
}

export const sellingScenes: Scene[] = [
  plain('create-empty', 'newcomer', '/create-listing', 'Sell an item'),
  {
    name: 'create-sale-filled',
    as: 'newcomer',
    async open(page, market) {
      await fillDraft(page, market)
      await page.getByRole('textbox', { name: 'Price', exact: true }).fill('1,048.50')
      await page.getByLabel('On sale').check()
      await page.getByLabel('Original price').fill('$1,260')
    },
  },
  {
    name: 'create-auction-filled',
    as: 'newcomer',
    async open(page, market) {
      await fillDraft(page, market)
      await page.getByLabel('Sell as an auction').check()
      await page.getByLabel('Starting bid').fill('20')
      await page.getByLabel('Buy It Now price').fill('60')
      await page.getByLabel('Auction end date').fill('2026-12-24T18:00')
    },
  },
  {
    name: 'create-wrong',
    as: 'newcomer',
    async open(page) {
      await page.goto('/create-listing')
      await page.getByLabel('Sell as an auction').check()
      await page.getByLabel('Shipping cost').fill('-3')
      await page.getByLabel('Image URL').fill('javascript:alert(1)')
      await page.getByRole('button', { name: 'Add Image' }).click()
      await page.getByRole('button', { name: 'Create Listing' }).click()
      await expect(page.getByText('Title is required')).toBeVisible()
    },
  },
  {
    name: 'create-refused',
    as: 'newcomer',
    async open(page, market) {
      await failing(page, '**/api/listings', { status: 500 }, 'POST')
      await fillDraft(page, market)
      await page.getByRole('textbox', { name: 'Price', exact: true }).fill('48')
      await page.getByRole('button', { name: 'Create Listing' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  plain('mine-owner', 'owner', '/my-listings', 'My Listings'),
  plain('mine-empty', 'newcomer', '/my-listings', 'My Listings'),
  {
    name: 'mine-loading',
    as: 'owner',
    async open(page) {
      await holding(page, mine)
      await page.goto('/my-listings')
      await expect(page.getByTestId('skeleton-card').first()).toBeVisible()
    },
  },
  {
    name: 'mine-failing',
    as: 'owner',
    async open(page) {
      await failing(page, mine, { status: 400 })
      await page.goto('/my-listings')
      await seeHeading(page, 'My Listings')
    },
  },
  plain('favorites-buyer', 'buyer', '/watchlist', 'My Favorites'),
  plain('favorites-list-view', 'buyer', '/watchlist?view=list', 'My Favorites'),
  plain('favorites-empty', 'newcomer', '/watchlist', 'My Favorites'),
  {
    name: 'favorites-nothing-matches',
    as: 'buyer',
    async open(page) {
      await page.goto('/watchlist')
      await page.getByLabel('Search your favorites').fill('submarine')
      await expect(page.getByText('No items found')).toBeVisible()
    },
  },
  {
    name: 'favorites-loading',
    as: 'buyer',
    async open(page) {
      await holding(page, '**/api/watchlist')
      await page.goto('/watchlist')
      await expect(page.getByTestId('skeleton-card').first()).toBeVisible()
    },
  },
  {
    name: 'favorites-not-for-sale',
    as: 'buyer',
    async open(page, { buyer }) {
      const watched = await buyer.get<object[]>('/api/watchlist')
      await answering(
        page,
        '**/api/watchlist',
        watched.map((item, index) => ({ ...item, is_active: index > 0 })),
      )
      await page.goto('/watchlist')
      await expect(page.getByText('No longer for sale')).toBeVisible()
    },
  },
]
