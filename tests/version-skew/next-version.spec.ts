import { releaseSteps, doublesOfStep } from './release-steps.ts'
import { stateAfter } from '../cluster/stream.ts'
import { expectedAfter } from './expected-after.ts'
import { listAuction, signIn } from '../support/processes/people.ts'
import { expect, test, withoutPages } from '../support/processes/stack.ts'

test.use({ stackOptions: { only: withoutPages } })

// The same change that `npm run cluster:test` releases as images.
test('a new event field and a new route work during a release in steps, reader first and service before gateway', async ({
  stack,
}) => {
  const [seller, bidder] = await Promise.all(['alice', 'bob'].map((name) => signIn(stack.url, `${name}@example.com`)))
  const { id: auctionId } = await listAuction(seller!, 'Watch of two versions', {
    startingBid: 10,
    endsInMs: 3_600_000,
  })
  const statusAt = async (base: string) => (await fetch(new URL(`/api/auctions/${auctionId}/leader`, base))).status
  for (const [at, step] of releaseSteps.entries()) {
    const preload = import.meta.resolve('../faults/injection/doubles.ts')
    await stack.services[step.service].roll({ NODE_OPTIONS: `--import ${preload}`, DOUBLES: doublesOfStep(step) })

    const amount = 20 + at
    const bid = async () => void (await bidder!.post('/api/bids', { listing_id: auctionId, amount }))
    const market = { url: stack.url, auctionId }
    const { leader } = await stateAfter(market, bid, ({ current_bid }) => current_bid === amount * 100)
    const atService = await statusAt(stack.services.auction.url)
    expect({ leader, atService, atGateway: await statusAt(stack.url) }).toEqual(expectedAfter[step.tag])
    // A consumer of a version without the field applies the event, too.
    const shown = async () => (await bidder!.get<{ current_bid: number }>(`/api/listings/${auctionId}`)).current_bid
    await expect.poll(shown).toBe(amount * 100)
  }
})
