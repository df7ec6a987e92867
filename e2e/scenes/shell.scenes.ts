import { expect, type Page } from '@playwright/test'
import { plain, seeHeading, stayHere, type Scene } from '../src/scene.ts'
import { answering, failing, holding, openLive } from '../src/shop.ts'

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

function over(name: string, as: Scene['as'], open: Scene['open'], isPhoneOnly?: true): Scene {
  return { name, as, isOverlay: true, open, ...(isPhoneOnly && { isPhoneOnly }) }
}

export const shellScenes: Scene[] = [
  plain('sign-in', 'visitor', '/sign-in', /Welcome/),
  {
    name: 'callback-loading',
    as: 'visitor',
    async open(page) {
      await holding(page, '**/api/sessions')
      await page.goto('/auth/callback?code=slow')
      await seeHeading(page, 'Signing you in...')
    },
  },
  {
    name: 'callback-failed',
    as: 'visitor',
    async open(page) {
      await stayHere(page)
      await failing(page, '**/api/sessions', { status: 401 })
      const goOn = await holding(page, '**/api/sessions')
      await page.goto('/auth/callback?code=stale')
      goOn()
      await seeHeading(page, 'Authentication Failed')
    },
  },
  {
    name: 'callback-welcome',
    as: 'newcomer',
    async open(page) {
      await stayHere(page)
      await answering(page, '**/api/sessions', {})
      const goOn = await holding(page, '**/api/sessions')
      await page.goto('/auth/callback?code=good')
      goOn()
      await seeHeading(page, /^Welcome/)
    },
  },
  plain('terms', 'visitor', '/terms', /Terms/),
  plain('privacy', 'visitor', '/privacy', /Privacy/),
  plain('not-found', 'newcomer', '/nowhere', 'Page not found'),
  {
    name: 'page-failed',
    as: 'visitor',
    async open(page) {
      await page.goto('/sign-in')
      await page.route('**/assets/TermsPage*', (route) => route.abort())
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms and Conditions' }).click()
      await seeHeading(page, 'This page did not load')
    },
  },
  {
    name: 'offline',
    as: 'visitor',
    async open(page) {
      await openLive(page, '/privacy')
      await page.context().setOffline(true)
      await expect(page.getByText('You are offline.')).toBeVisible()
    },
  },
  over('bell', 'newcomer', async (page) => {
    await page.goto('/terms')
    await page.getByRole('button', { name: 'Notifications' }).click()
    await expect(page.getByText('No new notifications')).toBeVisible()
  }),
  over(
    'menu-member',
    'buyer',
    async (page) => {
      await page.goto('/terms')
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    },
    true,
  ),
  over(
    'menu-visitor',
    'visitor',
    async (page) => {
      await page.goto('/terms')
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    },
    true,
  ),
  over('chat-topics', 'visitor', openChat),
  over('chat-topic-answered', 'visitor', async (page) => {
    await openChat(page)
    await page.getByRole('button', { name: 'Shipping & Tracking' }).click()
  }),
  over('chat-other', 'visitor', async (page) => {
    await openChat(page)
    await page.getByRole('button', { name: 'Other' }).click()
  }),
  over('chat-answered', 'visitor', async (page) => {
    await askChat(page, 'How do I pay for something I won?')
    await expect(page.getByRole('log').locator('p')).toHaveCount(3)
  }),
  over('chat-failing', 'visitor', async (page) => {
    await failing(page, '**/api/chat', { status: 503 })
    await askChat(page, 'How do I pay?')
    await expect(page.getByRole('log').getByText(/sorry/i)).toBeVisible()
  }),
  over('chat-answering', 'visitor', async (page) => {
    await holding(page, '**/api/chat')
    await askChat(page, 'How do I pay?')
    await expect(page.getByRole('log').getByText('The assistant is writing')).toBeVisible()
  }),
]
