import type { Page } from '@playwright/test'
import { callsOf, expect, inAnHour, test } from '../../support/fixtures/page-fixture.ts'

const auction = { is_auction: true, starting_bid: 10 }

/** Rejects bids of the page without confirmation, and lets confirmed bids through. Returns their idempotency keys. */
async function demandConfirmation(page: Page): Promise<string[]> {
  const keys: string[] = []
  await page.route('**/api/bids', async (route) => {
    keys.push((await route.request().headerValue('idempotency-key')) ?? '')
    if (route.request().postDataJSON().confirm === true) return route.fallback()
    const amounts = { amount: 125_000, current_bid: 5_000, shipping_cost: 450, transaction_fee: 6_250, total: 131_700 }
    return route.fulfill({ status: 409, json: { error: 'Confirm.', code: 'confirmation_needed', ...amounts } })
  })
  return keys
}

for (const { device, width } of [
  { device: 'a desk', width: 1280 },
  { device: 'a phone', width: 390 },
]) {
  test(`BID-14 a bid far above the price is asked about on ${device} with its amounts, then sent with a key of its own`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Bo')
    const item = await marketplace.list({ title: `Far bid on ${device}`, ...auction, auction_end_date: inAnHour() })
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/listing/${item.id}`)
    const keys = await demandConfirmation(page)
    const bids = callsOf(page, '/api/bids')
    await page.getByLabel('Bid amount').fill('1250')
    await page.getByRole('button', { name: 'Place Bid' }).click()
    const sheet = page.getByRole('dialog', { name: 'Is $1,250.00 right?' })
    await expect(sheet).toContainText("It's 25 times the current bid. You'd pay $1,317.00 in total.")
    for (const row of ['Your bid$1,250.00', 'Shipping$4.50', 'Marketplace Fee (5%)$62.50', 'Total if you win$1,317.00'])
      await expect(sheet).toContainText(row)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await sheet.getByRole('button', { name: 'Change amount' }).click()
    await expect(sheet).toHaveCount(0)
    await expect(page.getByLabel('Bid amount')).toHaveValue('1250')
    expect(bids).toHaveLength(1)

    await page.getByRole('button', { name: 'Place Bid' }).click()
    await sheet.getByRole('button', { name: 'Bid $1,250.00', exact: true }).click()
    await expect(sheet).toHaveCount(0)
    await expect(page.getByText("You're the highest bidder.")).toBeVisible()
    await expect(page.getByLabel('Bid amount')).toHaveValue('')
    expect(bids.map(({ body }) => body)).toMatchObject([{ confirm: false }, { confirm: false }, { confirm: true }])
    expect(new Set(keys).size).toBe(3)
  })
}

for (const width of [1280, 390]) {
  test(`BID-14 each bid is asked about after the user has switched it on, kept on the device: ${width}`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Bo')
    const terms = { ...auction, shipping_cost: 4.5, auction_end_date: inAnHour() }
    const item = await marketplace.list({ title: `Asked bid ${width}`, ...terms })
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/listing/${item.id}`)
    const bids = callsOf(page, '/api/bids')
    await page.getByLabel('Ask me before each bid').check()
    await page.reload()
    await expect(page.getByLabel('Ask me before each bid')).toBeChecked()
    await page.getByLabel('Bid amount').fill('20')
    await page.getByRole('button', { name: 'Place Bid' }).click()
    const sheet = page.getByRole('dialog', { name: 'Bid $20.00?' })
    for (const row of ['Your bid$20.00', 'Shipping$4.50', 'Marketplace Fee (5%)$1.00', 'Total if you win$25.50'])
      await expect(sheet).toContainText(row)
    await sheet.getByRole('button', { name: 'Change amount' }).click()
    await expect(sheet).toHaveCount(0)
    expect(bids).toHaveLength(0)
    await page.getByRole('button', { name: 'Place Bid' }).click()
    await sheet.getByRole('button', { name: 'Bid $20.00', exact: true }).click()
    await expect(page.getByText("You're the highest bidder.")).toBeVisible()
    await page.getByLabel('Ask me before each bid').uncheck()
    await page.getByLabel('Bid amount').fill('30')
    await page.getByRole('button', { name: 'Place Bid' }).click()
    await expect(page.getByText('$30.00').first()).toBeVisible()
    expect(bids).toHaveLength(2)
  })
}
