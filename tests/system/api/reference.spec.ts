import { expect, test } from '../../support/processes/system-stack.ts'

test('H1 the reference page shows every call under the pages’ policy', async ({ stack, page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  const outside: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(stack.url) && !request.url().startsWith('data:')) outside.push(request.url())
  })
  const document = await (await fetch(`${stack.url}/api/openapi.json`)).json()
  const calls = Object.values<object>(document.paths).flatMap((operations) => Object.keys(operations))

  await page.goto(`${stack.url}/api/docs`)
  await expect(page.getByRole('heading', { name: 'Marketplace' })).toBeVisible()
  await expect(page.locator('.opblock')).toHaveCount(calls.length)
  await page
    .getByRole('button', { name: /\/api\/bids/ })
    .first()
    .click()
  await expect(page.getByText('amount').first()).toBeVisible()
  expect({ complaints, outside }).toEqual({ complaints: [], outside: [] })
})
