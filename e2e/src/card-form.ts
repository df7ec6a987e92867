import type { Locator, Page } from '@playwright/test'

export const goodCard = '4242424242424242'

/** Types a card into the payment that is open. */
export async function fillCard(payment: Page | Locator, cardNumber = goodCard): Promise<void> {
  await payment.getByLabel('Card number').fill(cardNumber)
  await payment.getByLabel('Expiry date').fill('12 / 40')
  await payment.getByLabel('CVC').fill('123')
}

/** The same, and presses Pay, whatever it comes to. */
export async function pay(page: Page, cardNumber = goodCard): Promise<void> {
  await fillCard(page, cardNumber)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}
