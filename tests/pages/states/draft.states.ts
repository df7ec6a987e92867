import { expect, type Page } from '@playwright/test'
import type { DemoFixture } from '../../support/fixtures/demo-fixture.ts'
import { failCalls, holdCalls, respondWith } from '../../support/fixtures/page-fixture.ts'
import { pageState, type PageState } from '../../support/fixtures/page-state.ts'

const path = '/my-listings?status=drafts'

async function openDrafts(page: Page, demo: DemoFixture): Promise<void> {
  const draft = (number: number, body: object) => ({
    id: `01890a5d-ac96-774b-bcce-00000000000${number}`,
    updated_at: '2026-11-24T09:30:00.000Z',
    body,
  })
  await respondWith(page, '**/api/drafts', [
    draft(1, { title: 'Spider plant', images: [{ url: demo.picture('abel-y-costa-716024') }] }),
    draft(2, { title: 'A very long title of a draft that does not fit on one line '.repeat(3) }),
    draft(3, {}),
  ])
  await page.goto(path)
  await expect(page.getByRole('link', { name: 'Continue Spider plant' })).toBeVisible()
}

export const draftStates: PageState[] = [
  { name: 'drafts-owner', as: 'owner', open: openDrafts },
  {
    name: 'drafts-delete',
    as: 'owner',
    isOverlay: true,
    async open(page, demo) {
      await openDrafts(page, demo)
      await page.getByRole('button', { name: 'Delete Spider plant' }).click()
      await expect(page.getByRole('dialog', { name: 'Delete this draft?' })).toBeVisible()
    },
  },
  {
    name: 'drafts-empty',
    as: 'newcomer',
    async open(page) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'No drafts' })).toBeVisible()
    },
  },
  {
    name: 'drafts-loading',
    as: 'owner',
    async open(page) {
      await holdCalls(page, '**/api/drafts')
      await page.goto(path)
      await expect(page.getByRole('link', { name: 'New listing' })).toBeVisible()
    },
  },
  {
    name: 'drafts-failing',
    as: 'owner',
    async open(page) {
      await failCalls(page, '**/api/drafts', { status: 400 })
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'Your drafts could not be loaded' })).toBeVisible()
    },
  },
  {
    name: 'drafts-changed',
    as: 'newcomer',
    isOverlay: true,
    async open(page) {
      const error = 'This draft was changed elsewhere.'
      await failCalls(page, '**/api/drafts/*', { status: 409, error, code: 'draft_changed' }, 'PUT')
      await page.goto('/create-listing')
      await page.getByLabel('Title').fill('Spider plant')
      await page.getByRole('button', { name: 'Save Draft' }).click()
      await expect(page.getByRole('dialog', { name: 'This draft was changed elsewhere' })).toBeVisible()
    },
  },
  pageState('similar-unknown', 'newcomer', '/create-listing?similar=x', 'Sell an item'),
  pageState('drafts-unknown', 'newcomer', '/create-listing?draft=x', 'Sell an item'),
  {
    name: 'drafts-refused',
    as: 'newcomer',
    async open(page) {
      const error = "You've reached the limit of 20 drafts. Delete one first."
      await failCalls(page, '**/api/drafts/*', { status: 409, error }, 'PUT')
      await page.goto('/create-listing')
      await page.getByRole('button', { name: 'Save Draft' }).click()
      await expect(page.getByRole('alert')).toHaveText(error)
    },
  },
]
