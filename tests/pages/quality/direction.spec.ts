import type { Locator } from '@playwright/test'
import { expect, test, type Item } from '../../support/fixtures/page-fixture.ts'

const title = 'كاميرا قديمة جميلة 50mm f/1.8 للبيع'
const words = 'هل ما زالت متوفرة (50mm)?'

const directionOf = (text: Locator) =>
  text.evaluate((element) => [getComputedStyle(element).direction, getComputedStyle(element).unicodeBidi])

test('user texts have their own direction, and Latin text runs from the left', async ({ marketplace }) => {
  const [owner, buyer] = [await marketplace.signIn('Olga'), await marketplace.signIn('Bo')]
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const fields = { price: 50, accept_offers: true, category_id: category?.id }
  const place = 'القاهرة 12'
  const listing = { ...fields, title, description: words, location: place }
  const item = await owner.calls.post<Item>('/api/listings', listing)
  await owner.calls.post('/api/listings', { ...fields, title: 'Old camera (50mm)', description: 'As new (50mm)' })
  await buyer.calls.post('/api/conversations', { listing_id: item.id, message_text: words })
  await buyer.calls.post('/api/offers', { listing_id: item.id, amount: 30, message: words })
  const { page } = owner
  const main = page.getByRole('main')
  const runs = async (text: Locator, direction: 'rtl' | 'ltr') => {
    await expect(text).toBeVisible()
    expect.soft(await directionOf(text)).toEqual([direction, 'isolate'])
  }

  await page.goto('/my-listings?view=list')
  await runs(main.getByRole('heading', { name: title }), 'rtl')
  await runs(main.getByRole('heading', { name: 'Old camera (50mm)' }), 'ltr')

  await page.goto(`/listing/${item.id}`)
  await runs(main.getByRole('heading', { level: 1, name: title }), 'rtl')
  await runs(main.getByText(words).first(), 'rtl')
  for (const at of [0, 1]) await runs(main.getByText(place).nth(at), 'rtl')

  await page.goto('/offers')
  await runs(main.getByRole('heading', { name: title }), 'rtl')
  await runs(main.getByText(words), 'rtl')

  await page.goto('/messages')
  const row = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
  for (const text of [title, words]) await runs(row.getByText(text), 'rtl')
  await row.click()
  await runs(page.getByRole('log').getByText(words), 'rtl')
  await runs(page.getByRole('region', { name: 'Conversation' }).getByRole('link', { name: title }), 'rtl')
})
