import { expect, type Page } from '@playwright/test'
import { pageState, waitForPage, suppressNavigation, type PageState } from '../../support/fixtures/page-state.ts'
import { respondWith, failCalls, holdCalls, openHydrated } from '../../support/fixtures/page-fixture.ts'

async function openChat(page: Page): Promise<void> {
  await page.goto('/terms')
  await page.getByRole('button', { name: 'Help chat' }).click()
  await expect(page.getByRole('dialog', { name: 'Assistant' })).toBeVisible()
}

async function askChat(page: Page, question: string): Promise<void> {
  await openChat(page)
  await page.getByRole('button', { name: 'Other' }).click()
  await page.getByLabel('Your question').fill(question)
  await page.getByRole('button', { name: 'Send Message' }).click()
}

function overlay(name: string, as: PageState['as'], open: PageState['open'], isPhoneOnly?: true): PageState {
  return { name, as, isOverlay: true, open, ...(isPhoneOnly && { isPhoneOnly }) }
}

export const shellStates: PageState[] = [
  pageState('sign-in', 'visitor', '/sign-in', /Welcome/),
  {
    name: 'callback-loading',
    as: 'visitor',
    async open(page) {
      await holdCalls(page, '**/api/sessions')
      await page.goto('/auth/callback?code=slow')
      await waitForPage(page, 'Signing you in...')
    },
  },
  {
    name: 'callback-failed',
    as: 'visitor',
    async open(page) {
      await suppressNavigation(page)
      await failCalls(page, '**/api/sessions', { status: 401 })
      const release = await holdCalls(page, '**/api/sessions')
      await page.goto('/auth/callback?code=stale')
      release()
      await waitForPage(page, 'Authentication Failed')
    },
  },
  {
    name: 'callback-welcome',
    as: 'newcomer',
    async open(page) {
      await suppressNavigation(page)
      await respondWith(page, '**/api/sessions', {})
      const release = await holdCalls(page, '**/api/sessions')
      await page.goto('/auth/callback?code=good')
      release()
      await waitForPage(page, /^Welcome/)
    },
  },
  pageState('terms', 'visitor', '/terms', /Terms/),
  pageState('privacy', 'visitor', '/privacy', /Privacy/),
  pageState('not-found', 'newcomer', '/nowhere', 'Page not found'),
  {
    name: 'page-failed',
    as: 'visitor',
    async open(page) {
      await page.goto('/sign-in')
      await page.route('**/assets/TermsPage*', (route) => route.abort())
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms and Conditions' }).click()
      await waitForPage(page, "This page didn't load")
    },
  },
  {
    name: 'offline',
    as: 'visitor',
    async open(page) {
      await openHydrated(page, '/privacy')
      await page.context().setOffline(true)
      await expect(page.getByText("You're offline.")).toBeVisible()
    },
  },
  overlay('bell', 'newcomer', async (page) => {
    await page.goto('/terms')
    await page.getByRole('button', { name: 'Notifications' }).click()
    await expect(page.getByText('No new notifications')).toBeVisible()
  }),
  overlay(
    'menu-member',
    'buyer',
    async (page) => {
      await page.goto('/terms')
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    },
    true,
  ),
  overlay(
    'menu-visitor',
    'visitor',
    async (page) => {
      await page.goto('/terms')
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    },
    true,
  ),
  overlay('chat-topics', 'visitor', openChat),
  overlay('chat-topic-answered', 'visitor', async (page) => {
    await openChat(page)
    await page.getByRole('button', { name: 'Shipping & Tracking' }).click()
  }),
  overlay('chat-other', 'visitor', async (page) => {
    await openChat(page)
    await page.getByRole('button', { name: 'Other' }).click()
  }),
  overlay('chat-answered', 'visitor', async (page) => {
    await askChat(page, 'How do I pay for something I won?')
    await expect(page.getByRole('log').locator('p')).toHaveCount(3)
  }),
  overlay('chat-failing', 'visitor', async (page) => {
    await failCalls(page, '**/api/chat', { status: 503 })
    await askChat(page, 'How do I pay?')
    await expect(page.getByRole('log').getByText(/sorry/i)).toBeVisible()
  }),
  overlay('chat-answering', 'visitor', async (page) => {
    await holdCalls(page, '**/api/chat')
    await askChat(page, 'How do I pay?')
    await expect(page.getByRole('log').getByText('The assistant is writing')).toBeVisible()
  }),
]
