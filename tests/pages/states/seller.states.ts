import { expect, type Page } from '@playwright/test'
import type { DemoFixture } from '../../support/fixtures/demo-fixture.ts'
import { failCalls, respondWith } from '../../support/fixtures/page-fixture.ts'
import { pageState, type PageState } from '../../support/fixtures/page-state.ts'

/** Opens the page of the demo's seller Alice. */
async function openSeller(page: Page, { find, buyer }: DemoFixture): Promise<void> {
  const { id } = await find('White Nike high-top')
  const { user_id: sellerId } = await buyer.get<{ user_id: string }>(`/api/listings/${id}`)
  await page.goto(`/sellers/${sellerId}`)
  await expect(page.getByRole('heading', { name: 'Listings' })).toBeVisible()
}

export const sellerStates: PageState[] = [
  {
    name: 'seller-visitor',
    as: 'visitor',
    async open(page, demo) {
      await respondWith(page, '**/api/users/*/reply-time', { reply_time: 'hour' })
      await openSeller(page, demo)
      await expect(page.getByText('Usually replies within an hour')).toBeVisible()
    },
  },
  { name: 'seller-buyer', as: 'buyer', open: openSeller },
  {
    name: 'seller-block',
    as: 'buyer',
    isOverlay: true,
    async open(page, demo) {
      await openSeller(page, demo)
      await page.getByRole('button', { name: 'Block', exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'seller-block-refused',
    as: 'buyer',
    isOverlay: true,
    async open(page, demo) {
      await failCalls(page, '**/api/blocks', { status: 503 }, 'POST')
      await openSeller(page, demo)
      await page.getByRole('button', { name: 'Block', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'seller-not-read',
    as: 'visitor',
    async open(page, demo) {
      await failCalls(page, '**/api/users/*/profile', { status: 503 }, 'GET')
      await openSeller(page, demo)
      await expect(page.getByRole('heading', { level: 1, name: 'Member' })).toBeVisible()
    },
  },
  pageState('seller-unknown', 'visitor', '/sellers/01980000-0000-7000-8000-000000000003', 'Member not found'),
]
