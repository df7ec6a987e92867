import type { Page } from '@playwright/test'
import { fillCard } from '../../support/browser/card-form.ts'
import { prepareOffer, offersRegion } from '../../support/fixtures/offer-setup.ts'
import {
  callsOf,
  expect,
  failCalls,
  holdCalls,
  test,
  type Item,
  type Person,
} from '../../support/fixtures/page-fixture.ts'

async function sendOffer(page: Page, item: Item, amount: string): Promise<void> {
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Make Offer' }).click()
  await page.getByLabel('Your offer').fill(amount)
  await page.getByRole('button', { name: /^Send Offer/ }).click()
  await expect(page.getByRole('alert')).toContainText('Offer sent.')
}

const payHint = (page: Page) => offersRegion(page).getByText('Pay for it in Transactions.')

test('OFFER-01 OFFER-05 the dialog requires an amount above 0 and explains the seller’s actions', async ({
  marketplace,
}) => {
  const { buyer, item } = await prepareOffer(marketplace, 'Asked lamp')
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
    await amount.fill('')
    await amount.pressSequentially(typed)
    await dialog.getByRole('button', { name: /^Send Offer/ }).click()
    await expect(amount).toHaveAttribute('aria-invalid', 'true')
    await expect(amount).toBeFocused()
  }
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  await amount.fill('')
  await amount.pressSequentially('$1,040.50')
  await dialog.getByRole('button', { name: 'Send Offer of $1,040.50' }).click()
  await expect(page.getByRole('alert')).toContainText('Offer sent.')
  expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { listing_id: item.id, listing_version: 1, amount: 1040.5 },
  ])
  await expect(offersRegion(page).getByText('You offered $1,040.50')).toBeVisible()
})

test('OFFER-01 a message that is too long is kept and counted, and the offer is not sent', async ({ marketplace }) => {
  const { buyer, item } = await prepareOffer(marketplace, 'Wordy lamp')
  const { page } = buyer
  const sent = callsOf(page, '/api/offers')
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Make Offer' }).click()
  await page.getByLabel('Your offer').fill('30')
  const message = page.getByLabel('Message (optional)')
  await message.fill('x'.repeat(1001))
  await expect(message).toHaveValue('x'.repeat(1001))
  await expect(page.getByText('1001/1000 characters')).toBeVisible()
  await expect(page.getByText('Message must be 1000 characters or fewer')).toBeVisible()
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
  test(`OFFER-03 the error of a failed offer is shown, and the input stays: ${JSON.stringify(failure)}`, async ({
    marketplace,
  }) => {
    const { buyer, item } = await prepareOffer(marketplace, 'Failed lamp')
    const { page } = buyer
    await failCalls(page, '**/api/offers', failure, 'POST')
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

/** Opens the dialog, types an amount of $30 and lets the seller turn offers off. */
async function typeOfferUntilOff(marketplace: Parameters<typeof prepareOffer>[0], title: string) {
  const { owner, buyer, item } = await prepareOffer(marketplace, title)
  const { page } = buyer
  await page.clock.install()
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Make Offer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make an Offer' })
  await dialog.getByLabel('Your offer').fill('30')
  const { status } = await owner.calls.send('PATCH', `/api/listings/${item.id}`, {
    listing_version: 1,
    accept_offers: false,
  })
  expect(status).toBe(200)
  // Not by role: the button is behind the dialog.
  return { page, dialog, button: page.getByText('Make Offer', { exact: true }) }
}

test('OFFER-03 the error stays until it is dismissed when the seller no longer accepts offers', async ({
  marketplace,
}) => {
  const { page, dialog, button } = await typeOfferUntilOff(marketplace, 'Suddenly firm lamp')
  await dialog.getByRole('button', { name: 'Send Offer of $30.00' }).click()
  await expect(button).toHaveCount(0)
  await expect(dialog.getByRole('alert')).toHaveText('This listing does not accept offers.')
  await expect(dialog.getByLabel('Your offer')).toHaveValue('30')
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Close dialog' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('OFFER-03 the typed offer stays when the page reads that the seller no longer accepts offers', async ({
  marketplace,
}) => {
  const { page, dialog, button } = await typeOfferUntilOff(marketplace, 'Slowly firm lamp')
  await page.clock.fastForward(10_000)
  await expect(button).toHaveCount(0)
  await expect(dialog.getByLabel('Your offer')).toHaveValue('30')
  await dialog.getByRole('button', { name: 'Send Offer of $30.00' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This listing does not accept offers.')
})

test('a counteroffer is accepted, and the buyer is asked to pay under Transactions until it is paid', async ({
  marketplace,
}) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Countered lamp')
  await sendOffer(buyer.page, item, '30')
  await expect(offersRegion(buyer.page).getByRole('button')).toHaveText(['Withdraw'])
  await owner.page.goto(`/listing/${item.id}`)
  await expect(offersRegion(owner.page).getByText(`${buyer.name} offered $30.00`)).toBeVisible()
  await offersRegion(owner.page).getByRole('button', { name: 'Counter' }).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Make a Counteroffer' })
  await dialog.getByLabel('Your offer').fill('40')
  await dialog.getByRole('button', { name: 'Send Counter of $40.00' }).click()
  await expect(offersRegion(owner.page).getByText('You offered $40.00')).toBeVisible()
  await expect(offersRegion(owner.page).getByText('Rejected')).toBeVisible()

  await buyer.page.goto('/offers')
  await expect(offersRegion(buyer.page).getByText(`${owner.name} offered $40.00`)).toBeVisible()
  await offersRegion(buyer.page).getByRole('button', { name: 'Accept $40.00' }).click()
  await expect(payHint(buyer.page)).toBeVisible()
  await buyer.page.goto(`/listing/${item.id}`)
  await payHint(buyer.page).getByRole('link', { name: 'Transactions' }).click()
  await buyer.page.getByRole('button', { name: 'Pay now' }).click()
  await fillCard(buyer.page)
  await buyer.page.getByRole('button', { name: 'Pay $42.00' }).click()
  await expect(buyer.page.getByText('Payment successful! Your purchase is complete.')).toBeVisible()
  const row = buyer.page.getByRole('article').filter({ hasText: 'Offer Accepted' })
  await expect(row.getByText('Completed')).toBeVisible()

  for (const path of ['/offers', `/listing/${item.id}`]) {
    const loaded = buyer.page.waitForResponse(/\/api\/transactions(?:\?|$)/)
    await buyer.page.goto(path)
    await expect(offersRegion(buyer.page).getByText('Accepted')).toBeVisible()
    await loaded
    await expect(payHint(buyer.page)).toHaveCount(0)
  }
})

test('an offer is withdrawn by its buyer, and rejected by the seller', async ({ marketplace }) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Withdrawn lamp')
  await sendOffer(buyer.page, item, '20')
  await offersRegion(buyer.page).getByRole('button', { name: 'Withdraw' }).click()
  await expect(offersRegion(buyer.page).getByText('Withdrawn')).toBeVisible()
  await sendOffer(buyer.page, item, '25')
  await owner.page.goto('/offers')
  await offersRegion(owner.page).getByRole('button', { name: 'Reject' }).click()
  await expect(offersRegion(owner.page).getByText('Rejected')).toBeVisible()
  await expect(offersRegion(owner.page).getByRole('button')).toHaveCount(0)
})

interface OfferRecord {
  id: string
  listing_id: string
}

/**
 * Takes this step as the other party, and delays the page's refetch of the offers until the returned function is
 * called.
 */
async function actUnseen(page: Page, other: Person, item: Item, step: 'reject' | 'withdraw'): Promise<() => void> {
  const release = await holdCalls(page, /\/api\/offers(?:\?|$)/)
  const all = await other.calls.get<OfferRecord[]>('/api/offers')
  const offer = all.find(({ listing_id: listingId }) => listingId === item.id)
  await other.calls.post(`/api/offers/${offer?.id}/${step}`)
  return release
}

const tooLate = 'This offer has already been answered.'

test('OFFER-06 accepting an offer that was withdrawn meanwhile shows an error on the listing', async ({
  marketplace,
}) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Late lamp')
  await sendOffer(buyer.page, item, '20')
  await owner.page.goto(`/listing/${item.id}`)
  await expect(offersRegion(owner.page).getByRole('button', { name: 'Accept $20.00' })).toBeVisible()
  const release = await actUnseen(owner.page, buyer, item, 'withdraw')
  await offersRegion(owner.page).getByRole('button', { name: 'Accept $20.00' }).click()
  release()
  await expect(offersRegion(owner.page).getByText('Withdrawn')).toBeVisible()
  await expect(offersRegion(owner.page).getByRole('alert')).toHaveText(tooLate)
  await offersRegion(owner.page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(owner.page.getByRole('alert')).toHaveCount(0)
})

test('OFFER-06 withdrawing an offer that was rejected meanwhile shows an error under Offers', async ({
  marketplace,
}) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Slow lamp')
  await sendOffer(buyer.page, item, '20')
  await buyer.page.goto('/offers?tab=made')
  await expect(offersRegion(buyer.page).getByRole('button', { name: 'Withdraw' })).toBeVisible()
  const release = await actUnseen(buyer.page, owner, item, 'reject')
  await offersRegion(buyer.page).getByRole('button', { name: 'Withdraw' }).click()
  release()
  await expect(offersRegion(buyer.page).getByText('Rejected')).toBeVisible()
  await expect(offersRegion(buyer.page).getByRole('alert')).toHaveText(tooLate)
})

test('countering an offer that was withdrawn meanwhile shows an error in its place', async ({ marketplace }) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Gone lamp')
  await sendOffer(buyer.page, item, '20')
  await owner.page.goto(`/listing/${item.id}`)
  await offersRegion(owner.page).getByRole('button', { name: 'Counter' }).click()
  await owner.page.getByLabel('Your offer').fill('40')
  const release = await actUnseen(owner.page, buyer, item, 'withdraw')
  await owner.page.getByRole('button', { name: 'Send Counter of $40.00' }).click()
  release()
  await expect(owner.page.getByRole('dialog', { name: 'Make a Counteroffer' })).toHaveCount(0)
  await expect(offersRegion(owner.page).getByText('Withdrawn')).toBeVisible()
  await expect(offersRegion(owner.page).getByRole('alert')).toHaveText(tooLate)
})
