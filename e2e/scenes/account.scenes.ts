import { expect, type Page } from '@playwright/test'
import { plain, seeHeading, stayHere, type Scene } from '../src/scene.ts'
import { answering, failing, holding } from '../src/shop.ts'

const transactions = '**/api/transactions'
const preferences = '**/api/users/notification-preferences'

async function openThread(page: Page): Promise<void> {
  await page.goto('/messages')
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').last().click()
  await expect(page.getByRole('log', { name: 'Messages' }).getByRole('listitem').first()).toBeVisible()
}

/** A page while its first answer is on the way. */
function waiting(name: string, path: string, call: string): Scene {
  return {
    name,
    as: 'buyer',
    async open(page) {
      await holding(page, call)
      await page.goto(path)
      await seeHeading(page, /./)
    },
  }
}

export const accountScenes: Scene[] = [
  plain('messages-buyer', 'buyer', '/messages', 'Messages'),
  plain('messages-owner', 'owner', '/messages', 'Messages'),
  plain('messages-empty', 'newcomer', '/messages', 'Messages'),
  waiting('messages-loading', '/messages', '**/api/conversations'),
  { name: 'messages-thread', as: 'owner', open: openThread },
  {
    name: 'messages-thread-refused',
    as: 'owner',
    async open(page) {
      await failing(page, '**/api/messages', { status: 500 }, 'POST')
      await openThread(page)
      await page.getByLabel('Message', { exact: true }).fill('It folds flat, and\nboth cables are in the case.')
      await page.getByRole('button', { name: 'Send message' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'transactions-buyer',
    as: 'buyer',
    async open(page) {
      await page.goto('/transactions')
      await expect(page.getByText('Auction Won').first()).toBeVisible()
    },
  },
  plain('transactions-owner', 'owner', '/transactions', 'Transactions'),
  plain('transactions-empty', 'newcomer', '/transactions', 'Transactions'),
  waiting('transactions-loading', '/transactions', transactions),
  {
    name: 'transactions-cancelled',
    as: 'buyer',
    async open(page, { buyer }) {
      const all = await buyer.get<object[]>('/api/transactions')
      await answering(
        page,
        transactions,
        all.map((one) => ({ ...one, status: 'cancelled', pay_by: null })),
      )
      await page.goto('/transactions')
      await expect(page.getByText('Cancelled').first()).toBeVisible()
    },
  },
  {
    name: 'transactions-pay-now',
    as: 'buyer',
    isOverlay: true,
    async open(page) {
      await page.goto('/transactions')
      await page.getByRole('button', { name: 'Pay now' }).first().click()
      await expect(page.getByLabel('Card number')).toBeVisible()
    },
  },
  {
    name: 'transactions-pay-refused',
    as: 'buyer',
    async open(page) {
      await failing(page, '**/api/payments/create-intent', { status: 503 })
      await page.goto('/transactions')
      await page.getByRole('button', { name: 'Pay now' }).first().click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  plain('preferences-newcomer', 'newcomer', '/notification-preferences', 'Notification Preferences'),
  {
    name: 'preferences-failing',
    as: 'newcomer',
    async open(page) {
      await failing(page, preferences, { status: 500 }, 'POST')
      await page.goto('/notification-preferences')
      await page.getByLabel('Deals & Great Products').check()
      await page.getByRole('button', { name: 'Save Preferences' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'preferences-not-read',
    as: 'newcomer',
    async open(page) {
      await failing(page, preferences, { status: 503 }, 'GET')
      await page.goto('/notification-preferences')
      await expect(page.getByText('Your settings could not be read yet.')).toBeVisible()
    },
  },
  {
    name: 'preferences-saved',
    as: 'newcomer',
    async open(page) {
      await stayHere(page)
      await page.goto('/notification-preferences')
      await page.getByLabel('Seller Offers').check()
      await page.getByRole('button', { name: 'Save Preferences' }).click()
      await expect(page.getByText('Preferences Saved!')).toBeVisible()
    },
  },
]
