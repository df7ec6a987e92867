import type { Locator, Page } from '@playwright/test'

export const goodCard = '4242424242424242'

/** Fills in the open card form. */
export async function fillCard(payment: Page | Locator, cardNumber = goodCard): Promise<void> {
  await payment.getByLabel('Card number').fill(cardNumber)
  await payment.getByLabel('Expiry date').fill('12 / 40')
  await payment.getByLabel('CVC').fill('123')
}

/** Fills in the open card form and presses Pay, whatever the amount. */
export async function pay(page: Page, cardNumber = goodCard): Promise<void> {
  await fillCard(page, cardNumber)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

/** Returns the amounts that a dialog of the checkout shows, from the item price to the total. */
export async function orderSummary(page: Page, dialog: string): Promise<string[]> {
  const summary = page.getByRole('dialog', { name: dialog }).getByRole('region', { name: 'Order summary' })
  return (await summary.getByRole('definition').or(summary.locator('dd')).allTextContents()).toSpliced(0, 0)
}
