import type { Page } from '@playwright/test'
import { fillCard } from '../src/card-form.ts'
import { haggle, offers } from '../src/haggle.ts'
import { callsOf, expect, failing, holding, test, type Item, type Person } from '../src/shop.ts'

async function sendOffer(page: Page, item: Item, amount: string): Promise<void> {
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Make Offer' }).click()
  await page.getByLabel('Your offer').fill(amount)
  await page.getByRole('button', { name: /^Send Offer/ }).click()
  await expect(page.getByRole('alert')).toContainText('Offer sent.')
}

test('OFFER-01 OFFER-05 the dialog asks an amount above 0 and says what the seller can do', async ({ shop }) => {
  const { buyer, item } = await haggle(shop, 'Asked lamp')
  const { page } = buyer
  const sent = callsOf(page, '/api/offers')
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Make Offer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make an Offer' })
  await expect(dialog.getByText('The seller can accept, reject or counter your offer')).toBeVisible()
  const amount = dialog.getByLabel('Your offer')
  await expect(amount).toBeFocused()
  await expect(amount).toHaveAttribute('min', '0.01')
  await expect(amount).toHaveAttribute('required', '')
  await expect(dialog.getByLabel('Message (optional)')).not.toHaveAttribute('required', '')
  for (const typed of ['', '0', '-1', 'some']) {
    await amount.fill(typed)
    await dialog.getByRole('button', { name: /^Send Offer/ }).click()
    await expect(amount).toHaveAttribute('aria-invalid', 'true')
    await expect(amount).toBeFocused()
  }
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  await amount.fill('$1,040.50')
  await dialog.getByRole('button', { name: 'Send Offer of $1,040.50' }).click()
  await expect(page.getByRole('alert')).toContainText('Offer sent.')
  expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { listing_id: item.id, amount: 1040.5 },
  ])
  await expect(offers(page).getByText('You offered $1,040.50')).toBeVisible()
})

test('OFFER-01 a message that is too long stays whole, is counted and keeps the offer from being sent', async ({
  shop,
}) => {
  const { buyer, item } = await haggle(shop, 'Wordy lamp')
  const { page } = buyer
  const sent = callsOf(page, '/api/offers')
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Make Offer' }).click()
  await page.getByLabel('Your offer').fill('30')
  const message = page.getByLabel('Message (optional)')
  await message.fill('x'.repeat(1001))
  await expect(message).toHaveValue('x'.repeat(1001))
  await expect(page.getByText('1001/1000 characters')).toBeVisible()
  await expect(page.getByText('Message can have at most 1000 characters')).toBeVisible()
  await page.getByRole('button', { name: /^Send Offer/ }).click()
  await expect(message).toBeFocused()
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  await message.fill('x'.repeat(1000))
  await page.getByRole('button', { name: /^Send Offer/ }).click()
  await expect(page.getByRole('alert')).toContainText('Offer sent.')
})

for (const [failure, words] of [
  [{ status: 409, error: 'The item is gone.' }, 'The item is gone.'],
  [{ status: 500 }, 'Failed to submit offer'],
  ['network', 'Failed to submit offer'],
] as const) {
  test(`OFFER-03 an offer that fails is told, and stays typed: ${JSON.stringify(failure)}`, async ({ shop }) => {
    const { buyer, item } = await haggle(shop, 'Failed lamp')
    const { page } = buyer
    await failing(page, '**/api/offers', failure, 'POST')
    await page.goto(`/listing/${item.id}`)
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByLabel('Your offer').fill('30')
    await page.getByLabel('Message (optional)').fill('Cash?')
    await page.getByRole('button', { name: /^Send Offer/ }).click()
    await expect(page.getByRole('alert')).toHaveText(words)
    await expect(page.getByLabel('Your offer')).toHaveValue('30')
    await expect(page.getByLabel('Message (optional)')).toHaveValue('Cash?')
  })
}

test('an offer is countered, the counter accepted, and the buyer pays under Transactions', async ({ shop }) => {
  const { owner, buyer, item } = await haggle(shop, 'Countered lamp')
  await sendOffer(buyer.page, item, '30')
  await expect(offers(buyer.page).getByRole('button')).toHaveText(['Withdraw'])
  await owner.page.goto(`/listing/${item.id}`)
  await expect(offers(owner.page).getByText('A buyer offers $30.00')).toBeVisible()
  await offers(owner.page).getByRole('button', { name: 'Counter' }).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Make a Counteroffer' })
  await dialog.getByLabel('Your offer').fill('40')
  await dialog.getByRole('button', { name: 'Send Counter of $40.00' }).click()
  await expect(offers(owner.page).getByText('You offered $40.00')).toBeVisible()
  await expect(offers(owner.page).getByText('Rejected')).toBeVisible()

  await buyer.page.goto('/transactions')
  await expect(offers(buyer.page).getByText('The seller offers $40.00')).toBeVisible()
  await offers(buyer.page).getByRole('button', { name: 'Accept $40.00' }).click()
  await buyer.page.getByRole('button', { name: 'Pay now' }).click()
  await fillCard(buyer.page)
  await buyer.page.getByRole('button', { name: 'Pay $42.00' }).click()
  await expect(buyer.page.getByText('Payment successful! Your purchase is complete.')).toBeVisible()
  const row = buyer.page.getByRole('article').filter({ hasText: 'Offer Accepted' })
  await expect(row.getByText('Completed')).toBeVisible()
})

test('an offer is withdrawn by who made it, and rejected by who was asked', async ({ shop }) => {
  const { owner, buyer, item } = await haggle(shop, 'Withdrawn lamp')
  await sendOffer(buyer.page, item, '20')
  await offers(buyer.page).getByRole('button', { name: 'Withdraw' }).click()
  await expect(offers(buyer.page).getByText('Withdrawn')).toBeVisible()
  await sendOffer(buyer.page, item, '25')
  await owner.page.goto('/transactions')
  await offers(owner.page).getByRole('button', { name: 'Reject' }).click()
  await offers(owner.page).getByText('Earlier offers (2)').click()
  await expect(offers(owner.page).getByText('Rejected')).toBeVisible()
  await expect(offers(owner.page).getByRole('button')).toHaveCount(0)
})

interface OfferRecord {
  id: string
  listing_id: string
}

/** The other side takes this step, and the page does not hear of it before it is let. */
async function unnoticed(page: Page, other: Person, item: Item, step: 'reject' | 'withdraw'): Promise<() => void> {
  const letHear = await holding(page, /\/api\/offers$/)
  const all = await other.calls.get<OfferRecord[]>('/api/offers')
  const offer = all.find(({ listing_id: listingId }) => listingId === item.id)
  await other.calls.post(`/api/offers/${offer?.id}/${step}`)
  return letHear
}

const tooLate = 'This offer has been answered already.'

test('OFFER-06 who accepts an offer that was withdrawn meanwhile is told so on the listing', async ({ shop }) => {
  const { owner, buyer, item } = await haggle(shop, 'Late lamp')
  await sendOffer(buyer.page, item, '20')
  await owner.page.goto(`/listing/${item.id}`)
  await expect(offers(owner.page).getByRole('button', { name: 'Accept $20.00' })).toBeVisible()
  const letHear = await unnoticed(owner.page, buyer, item, 'withdraw')
  await offers(owner.page).getByRole('button', { name: 'Accept $20.00' }).click()
  letHear()
  await expect(offers(owner.page).getByText('Withdrawn')).toBeVisible()
  await expect(offers(owner.page).getByRole('alert')).toHaveText(tooLate)
  await offers(owner.page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(owner.page.getByRole('alert')).toHaveCount(0)
})

test('OFFER-06 who withdraws an offer that was rejected meanwhile is told so under Transactions', async ({ shop }) => {
  const { owner, buyer, item } = await haggle(shop, 'Slow lamp')
  await sendOffer(buyer.page, item, '20')
  await buyer.page.goto('/transactions')
  await expect(offers(buyer.page).getByRole('button', { name: 'Withdraw' })).toBeVisible()
  const letHear = await unnoticed(buyer.page, owner, item, 'reject')
  await offers(buyer.page).getByRole('button', { name: 'Withdraw' }).click()
  letHear()
  await expect(offers(buyer.page).getByText('Earlier offers (1)')).toBeVisible()
  await expect(offers(buyer.page).getByRole('alert')).toHaveText(tooLate)
})

test('who counters an offer that was withdrawn meanwhile is told so where it was', async ({ shop }) => {
  const { owner, buyer, item } = await haggle(shop, 'Gone lamp')
  await sendOffer(buyer.page, item, '20')
  await owner.page.goto(`/listing/${item.id}`)
  await offers(owner.page).getByRole('button', { name: 'Counter' }).click()
  await owner.page.getByLabel('Your offer').fill('40')
  const letHear = await unnoticed(owner.page, buyer, item, 'withdraw')
  await owner.page.getByRole('button', { name: 'Send Counter of $40.00' }).click()
  letHear()
  await expect(owner.page.getByRole('dialog', { name: 'Make a Counteroffer' })).toHaveCount(0)
  await expect(offers(owner.page).getByText('Withdrawn')).toBeVisible()
  await expect(offers(owner.page).getByRole('alert')).toHaveText(tooLate)
})
