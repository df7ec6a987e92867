import { expect, test } from '../../support/processes/system-stack.ts'
import { listAuction, readCurrent, signIn } from '../../support/processes/people.ts'

test('LIST-21 each of 200 bids is visible to the read that follows it, with two auction processes', async ({
  stack,
}) => {
  const [seller, ...bidders] = await Promise.all(
    ['alice', 'bob', 'carol', 'dave', 'erin'].map((name) => signIn(stack.url, `${name}@example.com`)),
  )
  if (!seller) throw new Error('no user is signed in')
  const watch = await listAuction(seller, 'Much wanted watch', { startingBid: 1, endsInMs: 3_600_000 })
  for (let count = 1; count <= 200; count += 1) {
    const bidder = bidders[count % bidders.length] ?? seller
    const amount = (101 + count) / 100
    await bidder.post('/api/bids', { listing_id: watch.id, amount })
    const seen = await readCurrent(bidder, watch.id)
    expect([seen.current_bid, seen.bid_count]).toEqual([101 + count, count])
  }
})
