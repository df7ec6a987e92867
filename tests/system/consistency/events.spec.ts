import { expect, test } from '../../support/processes/system-stack.ts'
import { findBySearch, listAuction, readCurrent, signIn } from '../../support/processes/people.ts'
import { stopRelay } from '../../support/processes/relay.ts'

test('a bid reaches the search list only through outbox, relay, bus and inbox', async ({ stack }) => {
  const [seller, bidder] = await Promise.all([
    signIn(stack.url, 'alice@example.com'),
    signIn(stack.url, 'bob@example.com'),
  ])
  const watch = await listAuction(seller, 'Relayed wristwatch', { startingBid: 10, endsInMs: 3_600_000 })
  const listedBid = async () => (await findBySearch(stack.url, 'relayed wristwatch'))[0]?.current_bid
  await expect.poll(listedBid).toBeNull()

  const resumeRelay = await stopRelay(stack.adminUrl, 'auction')
  const bid = await bidder.post<{ amount: number }>('/api/bids', { listing_id: watch.id, amount: 12 })
  expect(bid.amount).toBe(1200)
  expect((await readCurrent(bidder, watch.id)).current_bid).toBe(1200)
  // Longer than three polls of a relay and of a consumer.
  for (let poll = 0; poll < 10; poll += 1) {
    expect(await listedBid()).toBeNull()
    await new Promise((done) => setTimeout(done, 200))
  }

  await resumeRelay()
  await expect.poll(listedBid).toBe(1200)
})
