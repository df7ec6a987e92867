import type { Page } from '@playwright/test'
import { respondWith, callsOf, expect, failCalls, holdCalls, test } from '../../support/fixtures/page-fixture.ts'

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

function messagesOf(page: Page) {
  return page.getByRole('log', { name: 'Conversation with the assistant' }).getByRole('paragraph')
}

async function askAssistant(page: Page, question: string): Promise<void> {
  const other = page.getByRole('button', { name: 'Other', exact: true })
  if (await other.isVisible()) await other.click()
  await page.getByLabel('Your question').fill(question)
  await page.getByLabel('Your question').press('Enter')
}

test('CHAT-01 CHAT-02 CHAT-03 a topic is answered without the server, and other topics or the end follow', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const panel = await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await expect(panel.getByRole('list', { name: 'Topics' }).getByRole('button')).toHaveText(topics)
  await expect(panel.getByRole('button', { name: /Browse Other Topics|End Conversation/ })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Payments & Billing' }).click()
  await expect(messagesOf(visitor)).toHaveCount(3)
  await expect(messagesOf(visitor).nth(1)).toHaveText('Payments & Billing')
  await expect(messagesOf(visitor).nth(2)).toContainText('card')
  await panel.getByRole('button', { name: 'Browse Other Topics' }).click()
  await panel.getByRole('button', { name: 'Creating Listings' }).click()
  await expect(messagesOf(visitor)).toHaveCount(5)
  await panel.getByRole('button', { name: 'End Conversation' }).click()
  await expect(messagesOf(visitor)).toHaveCount(1)
  await expect(panel.getByRole('button', { name: 'Creating Listings' })).toBeVisible()
  expect(calls).toEqual([])
})

test('CHAT-04 CHAT-08 Other opens a text box, where Enter sends and Shift+Enter adds a line', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const panel = await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await respondWith(visitor, '**/api/chat', { response: 'Choose Sell.' })
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
  await expect(messagesOf(visitor).nth(2)).toHaveText('Choose Sell.')
  await expect(field).toHaveValue('')
  expect(calls[0]?.body).toMatchObject({ message: 'How do I\nsell?' })
})

test('CHAT-04 a question that is too long is kept, counted and not sent', async ({ marketplace }) => {
  const { visitor } = marketplace
  const panel = await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await askAssistant(visitor, 'x'.repeat(4001))
  const field = panel.getByLabel('Your question')
  await expect(field).toHaveValue('x'.repeat(4001))
  await expect(panel.getByText('4001/4000 characters')).toBeVisible()
  await expect(panel.getByText('Question must be 4000 characters or fewer')).toBeVisible()
  await panel.getByRole('button', { name: 'Send Message' }).click()
  await expect(field).toBeFocused()
  expect(calls).toEqual([])
})

test('CHAT-05 the last 10 messages are sent with the next', async ({ marketplace }) => {
  const { visitor } = marketplace
  await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await respondWith(visitor, '**/api/chat', { response: 'Yes.' })
  for (let count = 1; count <= 7; count++) {
    await askAssistant(visitor, `Question ${count}`)
    await expect(messagesOf(visitor)).toHaveCount(1 + 2 * count)
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

test('CHAT-05 the assistant of the stack responds', async ({ marketplace }) => {
  const { visitor } = marketplace
  await openChat(visitor)
  const response = visitor.waitForResponse('**/api/chat')
  await askAssistant(visitor, 'How do I list an item?')
  expect((await response).status()).toBe(200)
  await expect(messagesOf(visitor)).toHaveCount(3)
  await expect(messagesOf(visitor).nth(2)).not.toBeEmpty()
})

for (const failure of [{ status: 500 }, { status: 429 }, 'network'] as const) {
  test(`CHAT-06 a failure shows an apology with the support address: ${JSON.stringify(failure)}`, async ({
    marketplace,
  }) => {
    const { visitor } = marketplace
    await openChat(visitor)
    await failCalls(visitor, '**/api/chat', failure)
    await askAssistant(visitor, 'Anyone there?')
    await expect(messagesOf(visitor).nth(2)).toContainText(/sorry/i)
    await expect(messagesOf(visitor).nth(2)).toContainText('support@example.com')
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
    marketplace,
  }) => {
    const { visitor } = marketplace
    await openChat(visitor)
    await respondWith(visitor, '**/api/chat', { response: reply })
    await askAssistant(visitor, 'How?')
    await expect(messagesOf(visitor).nth(2)).toContainText(reply)
    await expect(messagesOf(visitor).filter({ hasText: 'customer support' })).toHaveCount(isDirected ? 1 : 0)
  })
}

test('a response is shown as text, and not at all after the end of the conversation', async ({ marketplace }) => {
  const { visitor } = marketplace
  const panel = await openChat(visitor)
  const hostile = '<img src=x onerror="window.hacked = 1"><b>bold</b>'
  await respondWith(visitor, '**/api/chat', { response: hostile })
  await askAssistant(visitor, 'How?')
  await expect(messagesOf(visitor).nth(2)).toHaveText(hostile)
  expect(await visitor.evaluate(() => 'hacked' in window)).toBe(false)
  const release = await holdCalls(visitor, '**/api/chat')
  await askAssistant(visitor, 'And now?')
  await panel.getByRole('button', { name: 'End Conversation' }).click()
  const response = visitor.waitForResponse('**/api/chat')
  release()
  await response
  await expect(messagesOf(visitor)).toHaveCount(1)
})

test('CHAT-03 a new conversation starts while a response to the ended one is missing', async ({ marketplace }) => {
  const { visitor } = marketplace
  const panel = await openChat(visitor)
  const calls = callsOf(visitor, '/api/chat')
  await visitor.route('**/api/chat', (route) =>
    route.fulfill({ json: { response: `Reply to: ${route.request().postDataJSON().message}` } }),
  )
  const release = await holdCalls(visitor, '**/api/chat')
  await askAssistant(visitor, 'First?')
  await panel.getByRole('button', { name: 'End Conversation' }).click()
  await askAssistant(visitor, 'Second?')
  await expect.poll(() => calls.length).toBe(2)
  release()
  await expect(messagesOf(visitor)).toHaveText(['Hi, how can I help?', 'Second?', 'Reply to: Second?'])
})

test('signing out deletes the conversation with the assistant', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const panel = await openChat(page)
  await panel.getByRole('button', { name: 'General Questions' }).click()
  await expect(messagesOf(page)).toHaveCount(3)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.getByRole('button', { name: 'Help chat' }).click()
  await expect(panel.getByRole('button', { name: 'General Questions' })).toBeVisible()
  await expect(messagesOf(page)).toHaveCount(1)
})

test('a long response is shown from its start', async ({ marketplace }) => {
  const { visitor } = marketplace
  await openChat(visitor)
  await respondWith(visitor, '**/api/chat', { response: `It starts here.\n${'More.\n'.repeat(60)}It ends here.` })
  await askAssistant(visitor, 'How do bids work?')
  const response = messagesOf(visitor).nth(2)
  await expect(response).toContainText('It ends here.')
  const top = (element: Element) => element.getBoundingClientRect().top
  const log = visitor.getByRole('log', { name: 'Conversation with the assistant' })
  expect((await response.evaluate(top)) - (await log.evaluate(top))).toBeCloseTo(16, -1)
})

test('Escape closes the panel, returns the focus and keeps the conversation', async ({ marketplace }) => {
  const { visitor } = marketplace
  const panel = await openChat(visitor)
  await expect(panel).toBeFocused()
  await panel.getByRole('button', { name: 'General Questions' }).click()
  await visitor.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(visitor.getByRole('button', { name: 'Help chat' })).toBeFocused()
  await visitor.keyboard.press('Enter')
  await expect(messagesOf(visitor)).toHaveCount(3)
})
