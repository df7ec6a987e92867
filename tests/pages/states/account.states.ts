import { expect, type Page } from '@playwright/test'
import { pageState, waitForPage, suppressNavigation, type PageState } from '../../support/fixtures/page-state.ts'
import { respondWith, failCalls, holdCalls } from '../../support/fixtures/page-fixture.ts'

const transactions = '**/api/transactions'
const sessions = '**/api/users/me/sessions?*'
const unknownMember = '01980000-0000-7000-8000-000000000002'
const preferences = '**/api/users/notification-preferences'

/** Responds with sessions on up to three devices. The sessions of the tests themselves have no device name. */
async function respondWithSessions(page: Page, count = 3): Promise<void> {
  const at = (day: number) => `2026-11-${day}T09:30:00.000Z`
  const all = [
    { device: 'Chrome on Windows', created_at: at(24), last_used_at: at(25), is_current: true },
    { device: 'Safari on iPhone', created_at: at(11), last_used_at: at(23), is_current: false },
    { device: 'Firefox on Linux', created_at: at(10), last_used_at: at(12), is_current: false },
  ]
  const listed = all.map((session, index) => ({ id: `01980000-0000-7000-8000-00000000000${index}`, ...session }))
  await respondWith(page, sessions, listed.slice(0, count))
}

async function openThread(page: Page): Promise<void> {
  await page.goto('/messages')
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').last().click()
  await expect(page.getByRole('log', { name: 'Messages' }).getByRole('listitem').first()).toBeVisible()
}

/** A page whose first response is pending. */
function loadingState(name: string, path: string, call: string): PageState {
  return {
    name,
    as: 'buyer',
    async open(page) {
      await holdCalls(page, call)
      await page.goto(path)
      await waitForPage(page, /./)
    },
  }
}

export const accountStates: PageState[] = [
  pageState('messages-buyer', 'buyer', '/messages', 'Messages'),
  pageState('messages-owner', 'owner', '/messages', 'Messages'),
  pageState('messages-empty', 'newcomer', '/messages', 'Messages'),
  loadingState('messages-loading', '/messages', '**/api/conversations'),
  { name: 'messages-thread', as: 'owner', open: openThread },
  {
    name: 'messages-thread-refused',
    as: 'owner',
    async open(page) {
      await failCalls(page, '**/api/messages', { status: 500 }, 'POST')
      await openThread(page)
      await page.getByLabel('Message', { exact: true }).fill('It is all included, and\nI can send it tomorrow.')
      await page.getByRole('button', { name: 'Send message' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'messages-list-refused',
    as: 'owner',
    isPhoneOnly: true,
    async open(page) {
      await failCalls(page, '**/api/messages', { status: 500 }, 'POST')
      const release = await holdCalls(page, '**/api/messages')
      await openThread(page)
      await page.getByLabel('Message', { exact: true }).fill('It is all included, and\nI can send it tomorrow.')
      await page.getByRole('button', { name: 'Send message' }).click()
      await page.getByRole('link', { name: 'Back to conversations' }).click()
      release()
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
  pageState('offers-received', 'owner', '/offers', 'Offers'),
  pageState('offers-made', 'buyer', '/offers?tab=made', 'Offers'),
  pageState('offers-empty', 'newcomer', '/offers', 'Offers'),
  loadingState('offers-loading', '/offers', '**/api/offers?*'),
  pageState('transactions-owner', 'owner', '/transactions', 'Transactions'),
  pageState('transactions-empty', 'newcomer', '/transactions', 'Transactions'),
  loadingState('transactions-loading', '/transactions', transactions),
  {
    name: 'transactions-cancelled',
    as: 'buyer',
    async open(page, { buyer }) {
      const all = await buyer.get<object[]>('/api/transactions')
      await respondWith(
        page,
        transactions,
        all.map((one) => ({ ...one, status: 'cancelled', pay_by: null })),
      )
      await page.goto('/transactions')
      await expect(page.getByText('Cancelled').first()).toBeVisible()
    },
  },
  {
    name: 'transactions-refunded',
    as: 'buyer',
    async open(page, { buyer }) {
      const [first, ...others] = await buyer.get<object[]>('/api/transactions')
      const refund = { refunded_amount: 2_258, is_refund_delayed: true }
      const moneyBack = { status: 'completed', pay_by: null, ...refund, is_disputed: true }
      await respondWith(page, transactions, [{ ...first, ...moneyBack }, ...others])
      await page.goto('/transactions')
      await expect(page.getByText('Refund: $22.58')).toBeVisible()
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
      await failCalls(page, '**/api/payments/create-intent', { status: 503 })
      await page.goto('/transactions')
      await page.getByRole('button', { name: 'Pay now' }).first().click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'sessions',
    as: 'buyer',
    async open(page) {
      await respondWithSessions(page)
      await page.goto('/sessions')
      await expect(page.getByRole('button', { name: 'End all other sessions' })).toBeVisible()
    },
  },
  loadingState('sessions-loading', '/sessions', sessions),
  {
    name: 'sessions-only-one',
    as: 'buyer',
    async open(page) {
      await respondWithSessions(page, 1)
      await page.goto('/sessions')
      await expect(page.getByText('You are not signed in anywhere else.')).toBeVisible()
    },
  },
  {
    name: 'sessions-not-read',
    as: 'buyer',
    async open(page) {
      await failCalls(page, sessions, { status: 503 }, 'GET')
      await page.goto('/sessions')
      await expect(page.getByText('Your sessions could not be loaded')).toBeVisible()
    },
  },
  {
    name: 'sessions-refused',
    as: 'buyer',
    async open(page) {
      await respondWithSessions(page, 2)
      await failCalls(page, '**/api/users/me/sessions/*', { status: 500 }, 'DELETE')
      await page.goto('/sessions')
      await page.getByRole('button', { name: 'End session' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  pageState('blocked-members-none', 'newcomer', '/blocked-members', 'Blocked members'),
  loadingState('blocked-members-loading', '/blocked-members', '**/api/blocks'),
  {
    name: 'blocked-members',
    as: 'buyer',
    async open(page) {
      await respondWith(page, '**/api/blocks', [
        { id: unknownMember, name: 'Mallory', picture: null, created_at: '2025-11-03T10:15:30.000Z' },
      ])
      await page.goto('/blocked-members')
      await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible()
    },
  },
  {
    name: 'blocked-members-not-read',
    as: 'buyer',
    async open(page) {
      await failCalls(page, '**/api/blocks', { status: 503 }, 'GET')
      await page.goto('/blocked-members')
      await expect(page.getByText('Your blocked members could not be loaded')).toBeVisible()
    },
  },
  pageState('preferences-newcomer', 'newcomer', '/notification-preferences', 'Notification Preferences'),
  {
    name: 'preferences-failing',
    as: 'newcomer',
    async open(page) {
      await failCalls(page, preferences, { status: 500 }, 'POST')
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
      await failCalls(page, preferences, { status: 503 }, 'GET')
      await page.goto('/notification-preferences')
      await expect(page.getByText("We couldn't load your settings.")).toBeVisible()
    },
  },
  {
    name: 'preferences-saved',
    as: 'newcomer',
    async open(page) {
      await suppressNavigation(page)
      await page.goto('/notification-preferences')
      await page.getByLabel('Seller Offers').check()
      await page.getByRole('button', { name: 'Save Preferences' }).click()
      await expect(page.getByText('Preferences Saved!')).toBeVisible()
    },
  },
]
