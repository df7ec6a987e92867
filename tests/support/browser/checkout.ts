import { expect, type Page } from '@playwright/test'

/** Replaces the expiry of the next checkout's hold in the page; the server's hold is unchanged. */
export async function holdingUntil(page: Page, expiresAt: string): Promise<void> {
  await page.route(
    /\/api\/(payments\/create-intent|auctions\/[^/]+\/buy-now)$/,
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), expires_at: expiresAt } })
    },
    { times: 1 },
  )
}

/** Opens Complete Payment with a button of the listing page, by default the one that buys the item. */
export async function openPayment(page: Page, button: string | RegExp = /^Buy (It )?Now$/): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Complete Payment' }).getByLabel('Card number')).toBeVisible()
}
