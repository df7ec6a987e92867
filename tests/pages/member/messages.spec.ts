import type { Page } from '@playwright/test'
import { stopPolling } from '../../support/browser/page-clock.ts'
import { openThread, startConversation } from '../../support/fixtures/conversation-setup.ts'
import {
  callsOf,
  consoleErrorsOf,
  expect,
  failCalls,
  holdCalls,
  test,
  type Item,
} from '../../support/fixtures/page-fixture.ts'

async function openDialog(page: Page, item: Item) {
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Message Seller' }).click()
  return page.getByRole('dialog', { name: 'Message Seller' })
}

test('MSG-06 MSG-13 the dialog counts the characters and does not send an empty message', async ({ marketplace }) => {
  const { buyer, item } = await startConversation(marketplace, 'Counted lamp')
  const dialog = await openDialog(buyer.page, item)
  const text = dialog.getByLabel('Your message')
  const send = dialog.getByRole('button', { name: 'Send Message' })
  await expect(text).toHaveAttribute('rows', '4')
  await expect(text).toHaveAttribute('required', '')
  await expect(dialog.getByText('0/1000 characters')).toBeVisible()
  await expect(send).toBeDisabled()
  await text.fill(' a😀 ')
  await expect(dialog.getByText('4/1000 characters')).toBeVisible()
  await text.fill('   ')
  await expect(dialog.getByText('3/1000 characters')).toBeVisible()
  await expect(send).toBeDisabled()
  await text.fill('x'.repeat(1000))
  await text.press('End')
  await text.pressSequentially('yz')
  await expect(dialog.getByText('1000/1000 characters')).toBeVisible()
  const release = await holdCalls(buyer.page, '**/api/conversations')
  await send.click()
  await expect(send).toBeDisabled()
  release()
  await expect(dialog).toBeHidden()
})

test('MSG-10 a sent message closes the dialog, which is empty when it opens again', async ({ marketplace }) => {
  const { buyer, item } = await startConversation(marketplace, 'Sent lamp')
  const dialog = await openDialog(buyer.page, item)
  await dialog.getByLabel('Your message').fill('Is it there?')
  await dialog.getByRole('button', { name: 'Send Message' }).click()
  await expect(dialog).toBeHidden()
  await buyer.page.getByRole('button', { name: 'Message Seller' }).click()
  await expect(dialog.getByLabel('Your message')).toHaveValue('')
})

for (const [failure, words] of [
  [{ status: 400, error: 'Too rude.' }, 'Too rude.'],
  [{ status: 500 }, 'Failed to send message'],
] as const) {
  test(`MSG-10 a rejected message keeps dialog and text: ${words}`, async ({ marketplace }) => {
    const { buyer, item } = await startConversation(marketplace, 'Refused lamp')
    const dialog = await openDialog(buyer.page, item)
    await failCalls(buyer.page, '**/api/conversations', failure, 'POST')
    await dialog.getByLabel('Your message').fill('Hello')
    await dialog.getByRole('button', { name: 'Send Message' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(words)
    await expect(dialog.getByLabel('Your message')).toHaveValue('Hello')
  })
}

test('MSG-10 a network failure in the dialog is only logged', async ({ marketplace }) => {
  const { buyer, item } = await startConversation(marketplace, 'Unreached lamp')
  const lines = consoleErrorsOf(buyer.page)
  const dialog = await openDialog(buyer.page, item)
  await failCalls(buyer.page, '**/api/conversations', 'network', 'POST')
  await dialog.getByLabel('Your message').fill('Hello')
  await dialog.getByRole('button', { name: 'Send Message' }).click()
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to send message:'))).toBe(true)
  await expect(buyer.page.getByRole('alert')).toHaveCount(0)
  await expect(dialog.getByLabel('Your message')).toHaveValue('Hello')
})

test('MSG-02 a message is shown when there are no conversations', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/messages')
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
})

test('MSG-01 MSG-02 MSG-03 MSG-04 conversations and thread are side by side', async ({ marketplace }) => {
  const { owner, buyer } = await startConversation(marketplace, 'Talked-about lamp', 'Does it dim?')
  await owner.page.goto('/messages')
  await expect(owner.page.getByText('Select a conversation')).toBeVisible()
  const row = owner.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
  await expect(row).toContainText(buyer.name)
  await expect(row).toContainText('Talked-about lamp')
  await expect(row).toContainText('Does it dim?')
  await expect(row).toContainText('1 unread')
  await expect(row.getByRole('time').or(row.locator('time'))).toHaveText(/^\d{1,2}:\d{2} [AP]M$/)
  await row.click()
  await expect(owner.page.getByRole('log', { name: 'Messages' })).toContainText('Does it dim?')
  await expect(row).toBeVisible()
})

test('MSG-01 one pane is shown at a time on a phone', async ({ marketplace }) => {
  const { owner } = await startConversation(marketplace, 'Phone lamp', 'On a phone?')
  await owner.page.setViewportSize({ width: 390, height: 844 })
  await owner.page.goto('/messages')
  const rows = owner.page.getByRole('navigation', { name: 'Conversations' })
  await rows.getByRole('link').click()
  await expect(owner.page.getByRole('log', { name: 'Messages' })).toBeVisible()
  await expect(rows).toBeHidden()
  await owner.page.getByRole('link', { name: 'Back to conversations' }).click()
  await expect(rows).toBeVisible()
  await expect(owner.page.getByRole('log', { name: 'Messages' })).toBeHidden()
})

for (const [hours, words] of [
  [23, /^\d{1,2}:\d{2} [AP]M$/],
  [100, /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/],
  [200, /^[A-Z][a-z]{2} \d{1,2}$/],
] as const) {
  test(`MSG-03 MSG-04 the time of a message of ${hours} hours ago is shown`, async ({ marketplace }) => {
    const { owner } = await startConversation(marketplace, 'Old lamp', 'Long ago')
    await owner.page.route('**/api/conversations', async (route) => {
      const response = await route.fetch()
      const [conversation] = await response.json()
      const last_message_time = new Date(Date.now() - hours * 3_600_000).toISOString()
      const other_user_picture = `${marketplace.url}/favicon.svg`
      await route.fulfill({ response, json: [{ ...conversation, last_message_time, other_user_picture }] })
    })
    await owner.page.goto('/messages')
    const row = owner.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
    await expect(row.locator('time')).toHaveText(words)
    await expect(row.locator('img')).toHaveAttribute('src', /favicon\.svg$/)
  })
}

test('MSG-05 opening loads messages and marks them read, and sending reloads messages and conversations', async ({
  marketplace,
}) => {
  const { owner, buyer } = await startConversation(marketplace, 'Read lamp', 'Read me')
  const calls = callsOf(owner.page, '/api/')
  await stopPolling(owner.page)
  await owner.page.goto('/messages')
  const row = owner.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
  await row.click()
  await expect(row).not.toContainText('unread')
  const seen = calls.map(({ method, url }) => `${method} ${url.pathname.replace(/[0-9a-f-]{36}/, 'ID')}`)
  const loaded = seen.indexOf('GET /api/conversations/ID/messages')
  expect(loaded).toBeGreaterThan(-1)
  expect(seen.indexOf('POST /api/conversations/ID/mark-read')).toBeGreaterThan(loaded)

  const messages = owner.page.waitForRequest(/\/api\/conversations\/[^/]+\/messages/)
  const conversations = owner.page.waitForRequest(/\/api\/conversations(\?|$)/)
  const field = owner.page.getByLabel('Message', { exact: true })
  await field.fill('  I did.  ')
  await field.press('Enter')
  await Promise.all([messages, conversations])
  await expect(field).toHaveValue('')
  await expect(owner.page.getByRole('log', { name: 'Messages' })).toContainText('I did.')
  expect(calls.find(({ url }) => url.pathname === '/api/messages')?.body).toMatchObject({ message_text: 'I did.' })
  await buyer.page.goto('/messages')
  await expect(buyer.page.getByRole('navigation', { name: 'Conversations' })).toContainText('I did.')
})

test('MSG-14 a message that is too long is kept, counted and not sent', async ({ marketplace }) => {
  const { owner } = await startConversation(marketplace, 'Long lamp', 'Tell me all')
  const field = await openThread(owner.page)
  const sent = callsOf(owner.page, '/api/messages')
  await field.fill('x'.repeat(899))
  await expect(owner.page.getByText('/1000 characters')).toHaveCount(0)
  await field.fill('x'.repeat(1001))
  await expect(field).toHaveValue('x'.repeat(1001))
  await expect(owner.page.getByText('1001/1000 characters')).toBeVisible()
  await expect(owner.page.getByText('Message must be 1000 characters or fewer')).toBeVisible()
  await field.press('Enter')
  await owner.page.getByRole('button', { name: 'Send message' }).click()
  await expect(field).toBeFocused()
  expect(sent).toEqual([])
  await field.fill('😀'.repeat(1000))
  await field.press('Enter')
  await expect(field).toHaveValue('')
  expect(sent.map(({ body }) => body)).toMatchObject([{ message_text: '😀'.repeat(1000) }])
})

for (const [failure, words] of [
  [{ status: 400, error: 'Too long.' }, 'Too long.'],
  [{ status: 500 }, 'Failed to send message'],
  ['network', 'Failed to send message'],
] as const) {
  test(`MSG-14 the error of a failed message is shown, and the input stays: ${JSON.stringify(failure)}`, async ({
    marketplace,
  }) => {
    const { owner } = await startConversation(marketplace, 'Failed lamp', 'Hello')
    const field = await openThread(owner.page)
    const sent = callsOf(owner.page, '/api/messages')
    await field.fill('   ')
    await field.press('Enter')
    await expect(owner.page.getByRole('button', { name: 'Send message' })).toBeDisabled()
    expect(sent).toEqual([])
    await failCalls(owner.page, '**/api/messages', failure)
    await field.fill('Yes')
    await field.press('Enter')
    await expect(owner.page.getByRole('alert')).toHaveText(words)
    await expect(field).toHaveValue('Yes')
  })
}

test('the chat button does not cover the newest message on a phone', async ({ marketplace }) => {
  const { buyer } = await startConversation(marketplace, 'Covered lamp', `Hello ${'and more '.repeat(110)}`)
  const { page } = buyer
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/messages')
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
  const newest = page.getByRole('log', { name: 'Messages' }).getByRole('listitem').last()
  await expect(newest).toBeInViewport()
  // The button is raised in the frame after the composer appears.
  const distance = async () => {
    const bubble = await newest.boundingBox()
    const button = await page.getByRole('button', { name: 'Help chat' }).boundingBox()
    return (button?.y ?? 0) - (bubble?.y ?? 0) - (bubble?.height ?? 0)
  }
  await expect.poll(distance).toBeGreaterThanOrEqual(0)
})

test('hostile text in a message is shown as text', async ({ marketplace }) => {
  const hostile = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>'
  const { owner } = await startConversation(marketplace, `Hostile ${hostile}`, hostile)
  await owner.page.goto('/messages')
  await owner.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
  await expect(owner.page.getByRole('log', { name: 'Messages' })).toContainText(hostile)
  expect(await owner.page.evaluate(() => 'hacked' in window)).toBe(false)
})
