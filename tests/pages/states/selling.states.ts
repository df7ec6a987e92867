import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { findPhotographs } from '@marketplace/stack/demo/photographs.ts'
import type { DemoFixture } from '../../support/fixtures/demo-fixture.ts'
import { pageState, waitForPage, type PageState } from '../../support/fixtures/page-state.ts'
import { respondWith, failCalls, holdCalls } from '../../support/fixtures/page-fixture.ts'

const mine = '**/api/users/me/listings?*'

async function fillDraft(page: Page, demo: DemoFixture): Promise<void> {
  await page.goto('/create-listing')
  await page.getByLabel('Title').fill('Spider plant in a patterned pot, and a succulent')
  await page.getByLabel('Description').fill('Both raised from cuttings. They travel separately wrapped, with the pots.')
  await page.getByLabel('Category').selectOption('Garden')
  await page.getByLabel('Location').fill('Malmo, Sweden')
  for (const photograph of ['abel-y-costa-716024', 'silvia-agrasar-227575']) {
    await page.getByLabel('Image URL').fill(demo.picture(photograph))
    await page.getByRole('button', { name: 'Add Image' }).click()
  }
}

/** Opens the form with an uploaded photo, a refused file and a typed URL. */
async function openWithPhotos(page: Page, demo: DemoFixture): Promise<void> {
  await page.goto('/create-listing')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose photos' }).click()
  const heic = { name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') }
  const [photo] = findPhotographs()
  await (
    await chooser
  ).setFiles([{ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await readFile(photo?.file ?? '') }, heic])
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await page.getByLabel('Image URL').fill(demo.picture('abel-y-costa-716024'))
  await page.getByRole('button', { name: 'Add Image' }).click()
  await expect(page.getByRole('list', { name: 'Added images' }).getByRole('listitem')).toHaveCount(3)
}

export const sellingStates: PageState[] = [
  pageState('create-empty', 'newcomer', '/create-listing', 'Sell an item'),
  {
    name: 'create-sale-filled',
    as: 'newcomer',
    async open(page, demo) {
      await fillDraft(page, demo)
      await page.getByRole('spinbutton', { name: 'Price', exact: true }).fill('1048.50')
      await page.getByLabel('On sale').check()
      await page.getByLabel('Original price').fill('1260')
    },
  },
  {
    name: 'create-auction-filled',
    as: 'newcomer',
    async open(page, demo) {
      await fillDraft(page, demo)
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
    async open(page, demo) {
      await failCalls(page, '**/api/listings', { status: 500 }, 'POST')
      await fillDraft(page, demo)
      await page.getByRole('spinbutton', { name: 'Price', exact: true }).fill('48')
      await page.getByRole('button', { name: 'Create Listing' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'create-photos',
    as: 'newcomer',
    async open(page, demo) {
      await openWithPhotos(page, demo)
      await page.getByText('Describe photos').click()
      await page.getByRole('button', { name: 'Create Listing' }).click()
      await expect(page.getByText('Title is required')).toBeVisible()
    },
  },
  {
    name: 'create-photo-menu',
    as: 'newcomer',
    async open(page, demo) {
      await openWithPhotos(page, demo)
      await page.getByRole('button', { name: 'Options for photo 2' }).click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  {
    name: 'create-photo-crop',
    as: 'newcomer',
    isOverlay: true,
    async open(page, demo) {
      await openWithPhotos(page, demo)
      await page.getByRole('button', { name: 'Options for photo 1' }).click()
      await page.getByRole('menuitem', { name: 'Crop' }).click()
      await expect(page.getByRole('dialog', { name: 'Crop photo' })).toBeVisible()
    },
  },
  {
    name: 'sell-unchargeable',
    as: 'newcomer',
    async open(page, demo) {
      await fillDraft(page, demo)
      await page.getByRole('spinbutton', { name: 'Price', exact: true }).fill('0.25')
      await expect(page.getByText('Cards are charged at least')).toBeVisible()
    },
  },
  pageState('mine-owner', 'owner', '/my-listings', 'My Listings'),
  pageState('mine-ended', 'owner', '/my-listings?status=ended', 'My Listings'),
  {
    name: 'mine-end-dialog',
    as: 'owner',
    isOverlay: true,
    async open(page) {
      await page.goto('/my-listings?status=active')
      await page.getByRole('button', { name: /^End / }).first().click()
      await expect(page.getByRole('dialog', { name: 'End this listing?' })).toBeVisible()
    },
  },
  {
    name: 'edit-owner',
    as: 'owner',
    async open(page) {
      await page.goto('/my-listings?status=active')
      await page
        .getByRole('link', { name: /^Edit / })
        .first()
        .click()
      await expect(page.getByRole('list', { name: 'Added images' }).getByRole('img').first()).toBeVisible()
    },
  },
  pageState('mine-empty', 'newcomer', '/my-listings', 'My Listings'),
  {
    name: 'mine-loading',
    as: 'owner',
    async open(page) {
      await holdCalls(page, mine)
      await page.goto('/my-listings')
      await expect(page.getByTestId('skeleton-card').first()).toBeVisible()
    },
  },
  {
    name: 'mine-failing',
    as: 'owner',
    async open(page) {
      await failCalls(page, mine, { status: 400 })
      await page.goto('/my-listings')
      await waitForPage(page, 'My Listings')
    },
  },
  pageState('favorites-buyer', 'buyer', '/watchlist', 'My Favorites'),
  pageState('favorites-list-view', 'buyer', '/watchlist?view=list', 'My Favorites'),
  pageState('favorites-empty', 'newcomer', '/watchlist', 'My Favorites'),
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
      await holdCalls(page, '**/api/watchlist?*')
      await page.goto('/watchlist')
      await expect(page.getByTestId('skeleton-card').first()).toBeVisible()
    },
  },
  {
    name: 'favorites-not-for-sale',
    as: 'buyer',
    async open(page, { buyer }) {
      const watched = await buyer.get<object[]>('/api/watchlist?fields=card')
      await respondWith(
        page,
        '**/api/watchlist?*',
        watched.map((item, index) => ({ ...item, is_active: index > 0 })),
      )
      await page.goto('/watchlist')
      await expect(page.getByText('Unavailable')).toBeVisible()
    },
  },
]
