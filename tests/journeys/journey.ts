import { buyByCard, listByForm, openBySearch, placeBid, signInAs } from '../support/browser/pages.ts'
import { expect, type test } from '../support/processes/stack.ts'
import { lamp, watch } from './items.ts'

/** Declares the journey of two sales, for stacks with the options of `declare`. */
export function declareJourney(declare: typeof test, circumstances: string): void {
  declare(`a lamp is sold and a watch is bid on, with ${circumstances}`, async ({ stack, browser }) => {
    const seller = await signInAs(browser, stack.url, 'alice@example.com')
    const buyer = await signInAs(browser, stack.url, 'bob@example.com')
    const rival = await signInAs(browser, stack.url, 'carol@example.com')

    await listByForm(seller, lamp)
    const watchId = await listByForm(seller, watch)

    await openBySearch(buyer, 'diving watch', 'Steel diving watch')
    await placeBid(buyer, '101')
    await expect(buyer.getByText('$101.00').first()).toBeVisible()
    await rival.goto(`/listing/${watchId}`)
    await placeBid(rival, '120')
    await expect(buyer.getByText('$120.00').first()).toBeVisible()

    await openBySearch(buyer, 'reading lamp', 'Brass reading lamp')
    await buyer.getByRole('button', { name: 'Message Seller' }).click()
    await buyer.getByLabel('Your message').fill('Does it come with a bulb?')
    await buyer.getByRole('button', { name: 'Send Message' }).click()
    await expect(buyer.getByRole('dialog')).toBeHidden()
    await buyByCard(buyer, '$25.49')
    await expect(buyer.getByText(/^You bought this item/)).toBeVisible()

    await seller.goto('/messages')
    await seller.getByRole('link', { name: /Brass reading lamp/ }).click()
    await expect(seller.getByText('Does it come with a bulb?').first()).toBeVisible()
    await seller.getByLabel('Message', { exact: true }).fill('It does.')
    await seller.getByRole('button', { name: 'Send message' }).click()

    for (const [page, role] of [
      [buyer, 'Buyer'],
      [seller, 'Seller'],
    ] as const) {
      await page.goto('/transactions')
      const row = page.getByRole('listitem').filter({ hasText: 'Brass reading lamp' }).first()
      await expect(row.getByText('Completed')).toBeVisible()
      await expect(row.getByText('Buy Now')).toBeVisible()
      await expect(row.getByText(role, { exact: true }).first()).toBeVisible()
    }
  })
}
