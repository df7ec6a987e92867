import { lamp, watch } from '../journeys/items.ts'
import { buyByCard, listByForm, openBySearch, placeBid, signInAs } from '../support/browser/pages.ts'
import { pagesUrl } from '../support/fixtures/page-fixture.ts'
import { expect, test } from '@playwright/test'
import { prepareLoadTarget } from './cluster.ts'

// The external identity provider has a certificate of the cluster's own authority.
test.use({ ignoreHTTPSErrors: true })
test.setTimeout(300_000)

test('every service responds through the gateway’s Service', async () => {
  const { target, people } = await prepareLoadTarget(2, 'calls')
  const [seller, bidder] = people
  await expect(bidder?.post('/api/bids', { listing_id: target.auctionId, amount: 11 })).resolves.toBeTruthy()
  await expect
    .poll(async () => (await bidder?.get<{ current_bid: number }>(`/api/listings/${target.auctionId}`))?.current_bid)
    .toBe(1100)
  await bidder?.post('/api/conversations', { listing_id: target.fixedId, message_text: 'Is it still there?' })
  expect(await seller?.get<unknown[]>('/api/conversations')).toHaveLength(1)
  expect(await seller?.get<unknown[]>('/api/transactions')).toEqual([])
  expect((await fetch(target.url)).headers.get('content-type')).toContain('text/html')
})

test('a lamp is listed, found and sold, and a watch is bid on, in a browser', async ({ browser }) => {
  const url = pagesUrl()
  const seller = await signInAs(browser, url, 'alice@example.com')
  const buyer = await signInAs(browser, url, 'bob@example.com')
  await listByForm(seller, lamp)
  await listByForm(seller, watch)
  await openBySearch(buyer, 'diving watch', 'Steel diving watch')
  await placeBid(buyer, '101')
  await expect(buyer.getByText('$101.00').first()).toBeVisible()
  await openBySearch(buyer, 'reading lamp', 'Brass reading lamp')
  await buyByCard(buyer, '$25.49')
})
