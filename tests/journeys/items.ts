import type { ListingEntry } from '../support/browser/pages.ts'

/** An item at a fixed price, as a seller enters it in the form. */
export const lamp: ListingEntry = {
  title: 'Brass reading lamp',
  category: 'Home Decor',
  fill: async (page) => {
    await page.getByLabel(/^Price/).fill('19.99')
    await page.getByLabel('Shipping cost').fill('4.50')
  },
}

/** An auction that ends in an hour. */
export const watch: ListingEntry = {
  title: 'Steel diving watch',
  category: 'Watches',
  fill: async (page) => {
    await page.getByLabel('Sell as an auction').check()
    await page.getByLabel('Starting bid').fill('100')
    await page.getByLabel('Auction end date').fill(localInput(new Date(Date.now() + 3_600_000)))
  },
}

// Formats an instant for a datetime-local input: in the browser's time zone, to the minute.
function localInput(instant: Date): string {
  const local = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
