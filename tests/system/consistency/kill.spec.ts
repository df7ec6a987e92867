import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { ProgramName } from '@marketplace/stack/launcher/topology.ts'
import {
  buyNow,
  listAuction,
  listFixedPrice,
  payByCard,
  readCurrent,
  signIn,
  transactionFor,
  type Listing,
} from '../../support/processes/people.ts'
import { expect, test } from '../../support/processes/system-stack.ts'

const victims: readonly ProgramName[] = [
  'users',
  'catalog',
  'auction',
  'payments',
  'messaging',
  'search',
  'gateway',
  'cards',
  'identity',
]

/** Retries a step until it succeeds: a killed service restarts within two seconds. */
async function retryUntilSuccess<Result>(step: () => Promise<Result>): Promise<Result> {
  let last: unknown
  for (let tries = 0; tries < 300; tries += 1) {
    try {
      return await step()
    } catch (error) {
      last = error
      await new Promise((done) => setTimeout(done, 200))
    }
  }
  throw last
}

// An attempt whose response was lost may have been accepted; the same amount is too low then.
async function bid(bidder: MarketplaceClient, listingId: string, dollars: number): Promise<void> {
  const { status, body } = await bidder.send<{ current_bid?: number }>('POST', '/api/bids', {
    listing_id: listingId,
    amount: dollars,
  })
  if (status === 201 || (status === 409 && body.current_bid === dollars * 100)) return
  throw new Error(`the bid responded ${status}`)
}

for (const victim of victims) {
  test(`no acknowledged write is lost when ${victim} is killed before each step of the journey`, async ({ stack }) => {
    const step = <Result>(work: () => Promise<Result>) => {
      stack.services[victim].kill('SIGKILL')
      return retryUntilSuccess(work)
    }
    const seller = await step(() => signIn(stack.url, 'alice@example.com'))
    const buyer = await step(() => signIn(stack.url, 'bob@example.com'))
    const lamp = await step(() => listFixedPrice(seller, `Lamp while ${victim} dies`, 19.99))
    const watch = await step(() =>
      listAuction(seller, `Watch while ${victim} dies`, { startingBid: 100, endsInMs: 3_600_000 }),
    )
    await step(() => bid(buyer, watch.id, 101))
    const text = `Written while ${victim} dies`
    await step(() => buyer.post('/api/conversations', { listing_id: lamp.id, message_text: text }))
    const intent = await step(() => buyNow(buyer, lamp.id))
    // A retry reports that the card was charged although the response was lost.
    await step(() => payByCard(buyer, intent).catch(ignoreAlreadyPaid))
    await step(() => buyer.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id }))

    const seen = await readCurrent(buyer, watch.id)
    expect([seen.current_bid, seen.bid_count]).toEqual([10_100, 1])
    await expect
      .poll(() =>
        retryUntilSuccess(() => buyer.get<Listing>(`/api/listings/${lamp.id}`)).then(({ is_active }) => is_active),
      )
      .toBe(false)
    for (const person of [seller, buyer]) {
      expect(await retryUntilSuccess(() => transactionFor(person, lamp.id))).toMatchObject({
        status: 'completed',
        sale_price: 1999,
      })
    }
    const conversations = await retryUntilSuccess(() => seller.get<{ last_message: string }[]>('/api/conversations'))
    expect(conversations.map(({ last_message }) => last_message)).toContain(text)
    const found = async () =>
      (
        await retryUntilSuccess(() => buyer.get<Listing[]>(`/api/listings?search=${encodeURIComponent(watch.title)}`))
      )[0]
    await expect.poll(async () => (await found())?.current_bid).toBe(10_100)
    await stack.services[victim].ready()
  })
}

function ignoreAlreadyPaid(error: unknown): void {
  if (!String(error).includes('payment_intent_unexpected_state')) throw error
}
