import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { Intent, Listing } from '../../support/processes/people.ts'
import { expect } from '../../support/processes/stack.ts'
import {
  charge,
  checkOut,
  retryWhileReserved,
  retryWhileUnavailable,
  settle,
  outcomeOf,
  type Racers,
  type Round,
  type RaceResponse,
} from './race-rounds.ts'

/** Bob reserves the item and cancels, while the seller accepts Alice's offer and Carol buys. */
export async function raceForLamp({ seller, alice, bob, carol }: Racers, round: Round): Promise<string> {
  const item = { title: `Lamp of round ${round.nth}`, price: 20, category_id: 1 }
  const { body: lamp } = await retryWhileUnavailable<Listing>(() => seller.send('POST', '/api/listings', item))
  const proposal = { listing_id: lamp.id, amount: 15 }
  const { body: offer } = await retryWhileUnavailable<{ id: string }>(() => alice.send('POST', '/api/offers', proposal))
  const reserved = await checkOut(bob, lamp.id, 'buy_now')
  expect(outcomeOf(reserved)).toBe('201')

  const winners: string[] = []
  const isOver = () => winners.length > 0
  const asWinner = (name: string) => (response: RaceResponse) => {
    if (response.status < 300) winners.push(name)
    return outcomeOf(response)
  }
  const accept = () => seller.send<{ code?: string }>('POST', `/api/offers/${offer.id}/accept`, {})
  const buy = () => checkOut(carol, lamp.id, 'buy_now')
  const [hasBobPaid, ...others] = await Promise.all([
    cancelCheckout(bob, lamp, { intent: reserved.body, round }).then((hasPaid) => {
      if (hasPaid) winners.push('bob pays')
      return hasPaid
    }),
    retryWhileReserved(accept, isOver).then(asWinner('the offer is accepted')),
    retryWhileReserved(buy, isOver).then(asWinner('carol buys')),
  ])
  expect(winners, `${lamp.id}: ${others.join(', ')}`).toHaveLength(1)
  const rejections = others.filter((response) => response.startsWith('409'))
  expect(rejections).toHaveLength(hasBobPaid ? 2 : 1)
  const [winner = ''] = winners
  await payAsWinner({ alice, carol }, lamp, { winner, round })
  return winner
}

/** Cancels the checkout, in some rounds while paying; returns whether Bob was charged. */
async function cancelCheckout(
  bob: MarketplaceClient,
  lamp: Listing,
  { intent, round }: { intent: Intent; round: Round },
) {
  const doesPay = round.nth % 3 === 0
  const [cancelled, isCharged] = await Promise.all([settle(bob, 'cancel', intent), doesPay && charge(bob, intent)])
  expect(outcomeOf(cancelled)).toBe(isCharged ? '409 already_paid' : '200')
  round.note(isCharged ? 'paid' : 'cancelled', intent, lamp.id)
  return isCharged
}

async function payAsWinner(
  { alice, carol }: Pick<Racers, 'alice' | 'carol'>,
  lamp: Listing,
  { winner, round }: { winner: string; round: Round },
): Promise<void> {
  if (winner === 'bob pays') return
  const isOffer = winner === 'the offer is accepted'
  const buyer = isOffer ? alice : carol
  const checkout = await checkOut(buyer, lamp.id, isOffer ? 'offer_accepted' : 'buy_now')
  expect(outcomeOf(checkout)).toBe('201')
  expect(await charge(buyer, checkout.body)).toBe(true)
  expect(outcomeOf(await settle(buyer, 'confirm', checkout.body))).toBe('200')
  round.note('paid', checkout.body, lamp.id)
}
