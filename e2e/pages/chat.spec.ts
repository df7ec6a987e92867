import type { Page } from '@playwright/test'
import { answering, callsOf, expect, failing, holding, test } from '../src/shop.ts'

const topics = [
  'Ordering & Checkout',
  'Shipping & Tracking',
  'Payments & Billing',
  'Creating Listings',
  'Account & Settings',
  'General Questions',
  'Other',
]

async function openChat(page: Page) {
  await page.goto('/terms')
  await page.getByRole('button', { name: 'Help chat' }).click()
  const panel = page.getByRole('dialog', { name: 'Assistant' })
  await expect(panel).toBeVisible()
  return panel
}

function said(page: Page) {
  return page.getByRole('log', { name: 'Conversation with the assistant' }).getByRole('paragraph')
}

async function ask(page: Page, question: string): Promise<void> {
  const other = page.getByRole('button', { name: 'Other', exact: true })
  if (await other.isVisible()) await other.click()
  await page.getByLabel('Your question').fill(question)
  await page.getByLabel('Your question').press('Enter')
}

test('CHAT-01 CHAT-02 CHAT-03 a topic is answered in the page; then one browses others or ends it', async ({
  shop,
}) => {
  const { visitor } = shop
  const panel = await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await expect(panel.getByRole('list', { name: 'Topics' }).getByRole('button')).toHaveText(topics)
  await expect(panel.getByRole('button', { name: /Browse Other Topics|End Conversation/ })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Payments & Billing' }).click()
  await expect(said(visitor)).toHaveCount(3)
  await expect(said(visitor).nth(1)).toHaveText('Payments & Billing')
  await expect(said(visitor).nth(2)).toContainText('card')
  await panel.getByRole('button', { name: 'Browse Other Topics' }).click()
  await panel.getByRole('button', { name: 'Creating Listings' }).click()
  await expect(said(visitor)).toHaveCount(5)
  await panel.getByRole('button', { name: 'End Conversation' }).click()
  await expect(said(visitor)).toHaveCount(1)
  await expect(panel.getByRole('button', { name: 'Creating Listings' })).toBeVisible()
  expect(calls).toEqual([])
})

test('CHAT-04 CHAT-08 Other opens a text box; Enter sends what is not empty, Shift+Enter writes on', async ({
  shop,
}) => {
  const { visitor } = shop
  const panel = await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await answering(visitor, '**/api/chat', { response: 'Choose Sell.' })
  await panel.getByRole('button', { name: 'Other', exact: true }).click()
  const field = panel.getByLabel('Your question')
  await expect(panel.getByRole('button', { name: 'Send Message' })).toBeVisible()
  await panel.getByRole('button', { name: 'Back' }).click()
  await expect(field).toHaveCount(0)
  await panel.getByRole('button', { name: 'Other', exact: true }).click()
  await field.fill('   ')
  await field.press('Enter')
  await panel.getByRole('button', { name: 'Send Message' }).click()
  expect(calls).toEqual([])
  await field.fill('How do I')
  await field.press('Shift+Enter')
  await field.pressSequentially('sell?')
  expect(calls).toEqual([])
  await field.press('Enter')
  await expect(said(visitor).nth(2)).toHaveText('Choose Sell.')
  await expect(field).toHaveValue('')
  expect(calls[0]?.body).toMatchObject({ message: 'How do I\nsell?' })
})

test('CHAT-04 a question that is too long stays whole, is counted and not sent', async ({ shop }) => {
  const { visitor } = shop
  const panel = await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await ask(visitor, 'x'.repeat(4001))
  const field = panel.getByLabel('Your question')
  await expect(field).toHaveValue('x'.repeat(4001))
  await expect(panel.getByText('4001/4000 characters')).toBeVisible()
  await expect(panel.getByText('Question can have at most 4000 characters')).toBeVisible()
  await panel.getByRole('button', { name: 'Send Message' }).click()
  await expect(field).toBeFocused()
  expect(calls).toEqual([])
})

test('CHAT-05 the last 10 messages go along with the next', async ({ shop }) => {
  const { visitor } = shop
  await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await answering(visitor, '**/api/chat', { response: 'Yes.' })
  for (let count = 1; count <= 7; count++) {
    await ask(visitor, `Question ${count}`)
    await expect(said(visitor)).toHaveCount(1 + 2 * count)
  }
  const { message, conversation_history: history } = calls.at(-1)!.body as {
    message: string
    conversation_history: { id: string; text: string; sender: string; timestamp: string }[]
  }
  expect(message).toBe('Question 7')
  expect(history.map(({ sender, text }) => `${sender}: ${text}`)).toEqual(
    [2, 3, 4, 5, 6].flatMap((count) => [`user: Question ${count}`, 'bot: Yes.']),
  )
  expect(history.every(({ id, timestamp }) => id !== '' && !Number.isNaN(Date.parse(timestamp)))).toBe(true)
})

test('CHAT-05 the real assistant answers', async ({ shop }) => {
  const { visitor } = shop
  await openChat(visitor)
  const answered = visitor.waitForResponse('**/api/chat')
  await ask(visitor, 'How do I list an item?')
  expect((await answered).status()).toBe(200)
  await expect(said(visitor)).toHaveCount(3)
  await expect(said(visitor).nth(2)).not.toBeEmpty()
})

for (const failure of [{ status: 500 }, { status: 429 }, 'network'] as const) {
  test(`CHAT-06 a failure is apologised for, with the support address: ${JSON.stringify(failure)}`, async ({
    shop,
  }) => {
    const { visitor } = shop
    await openChat(visitor)
    await failing(visitor, '**/api/chat', failure)
    await ask(visitor, 'Anyone there?')
    await expect(said(visitor).nth(2)).toContainText(/sorry/i)
    await expect(said(visitor).nth(2)).toContainText('support@example.com')
    await expect(visitor.getByRole('alert')).toHaveCount(0)
  })
}

for (const [reply, isDirected] of [
  ['I am not sure about that.', true],
  ["I don't know.", true],
  ['Sorry, that is not written anywhere.', true],
  ['I am unable to help with that.', true],
  ['Choose Sell.', false],
] as const) {
  test(`CHAT-07 the note on customer support ${isDirected ? 'follows' : 'does not follow'}: ${reply}`, async ({
    shop,
  }) => {
    const { visitor } = shop
    await openChat(visitor)
    await answering(visitor, '**/api/chat', { response: reply })
    await ask(visitor, 'How?')
    await expect(said(visitor).nth(2)).toContainText(reply)
    await expect(said(visitor).filter({ hasText: 'customer support' })).toHaveCount(isDirected ? 1 : 0)
  })
}

test('an answer is text, whatever it holds; one that comes after the end is not shown', async ({ shop }) => {
  const { visitor } = shop
  const panel = await openChat(visitor)
  const hostile = '<img src=x onerror="window.hacked = 1"><b>bold</b>'
  await answering(visitor, '**/api/chat', { response: hostile })
  await ask(visitor, 'How?')
  await expect(said(visitor).nth(2)).toHaveText(hostile)
  expect(await visitor.evaluate(() => 'hacked' in window)).toBe(false)
  const goOn = await holding(visitor, '**/api/chat')
  await ask(visitor, 'And now?')
  await panel.getByRole('button', { name: 'End Conversation' }).click()
  const answered = visitor.waitForResponse('**/api/chat')
  goOn()
  await answered
  await expect(said(visitor)).toHaveCount(1)
})

test('Escape closes the panel, gives the focus back and keeps what was said', async ({ shop }) => {
  const { visitor } = shop
  const panel = await openChat(visitor)
  await expect(panel).toBeFocused()
  await panel.getByRole('button', { name: 'General Questions' }).click()
  await visitor.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(visitor.getByRole('button', { name: 'Help chat' })).toBeFocused()
  await visitor.keyboard.press('Enter')
  await expect(said(visitor)).toHaveCount(3)
})
