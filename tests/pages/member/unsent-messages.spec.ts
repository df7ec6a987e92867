import type { Page } from '@playwright/test'
import { openThread, startConversation } from '../../support/fixtures/conversation-setup.ts'
import { expect, failCalls, holdCalls, test } from '../../support/fixtures/page-fixture.ts'

const messages = '**/api/messages'

/** Delays each message of the page until the returned function is called. The message then fails. */
async function holdFailure(page: Page): Promise<() => void> {
  await failCalls(page, messages, { status: 500 })
  return holdCalls(page, messages)
}

for (const moment of ['before', 'after'] as const) {
  test(`MSG-14 the error and the text of a failed message show in a thread reopened ${moment} the failure`, async ({
    marketplace,
  }) => {
    const { owner, buyer } = await startConversation(marketplace, 'Left lamp', 'Hello')
    const { page } = owner
    await page.setViewportSize({ width: 390, height: 844 })
    const field = await openThread(page)
    const release = await holdFailure(page)
    await field.fill('Unsent reply')
    await field.press('Enter')
    await page.getByRole('link', { name: 'Back to conversations' }).click()
    await expect(field).toHaveCount(0)
    const row = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
    if (moment === 'before') {
      await row.click()
      await expect(field).toHaveValue('')
    }
    const failed = page.waitForResponse(messages)
    release()
    await failed
    const alert = page.getByRole('alert')
    if (moment === 'after') {
      await expect(alert).toHaveText(`Message to ${buyer.name} about Left lamp: Failed to send message`)
      await row.click()
    }
    await expect(field).toHaveValue('Unsent reply')
    await expect(alert).toHaveText('Failed to send message')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('link', { name: 'Back to conversations' }).click()
    await expect(row).toBeVisible()
    await expect(alert).toHaveCount(0)
  })
}

test('MSG-14 the text of a failed message is put back before the text that was typed since', async ({
  marketplace,
}) => {
  const { page } = (await startConversation(marketplace, 'Typed lamp', 'Hello')).owner
  const field = await openThread(page)
  const release = await holdFailure(page)
  await field.fill('First reply')
  await field.press('Enter')
  await expect(field).toHaveValue('')
  await field.fill('Second reply')
  release()
  await expect(page.getByRole('alert')).toHaveText('Failed to send message')
  await expect(field).toHaveValue('First reply\nSecond reply')
})

test('MSG-05 a message that is sent before the thread has loaded appears below the earlier ones', async ({
  marketplace,
}) => {
  const { page } = (await startConversation(marketplace, 'Early lamp', 'Does it dim?')).owner
  const release = await holdCalls(page, /\/api\/conversations\/[^/]+\/messages/)
  const field = await openThread(page)
  const sent = page.waitForResponse(messages)
  await field.fill('It does.')
  await field.press('Enter')
  await sent
  release()
  const bubbles = page.getByRole('log', { name: 'Messages' }).getByRole('listitem')
  await expect(bubbles).toHaveText([/Does it dim\?/, /It does\./])
})
