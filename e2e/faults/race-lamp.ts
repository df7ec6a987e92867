import type { MarketplaceClient } from '@marketplace/dev/client.ts'
import type { Intent, Listing } from '../src/people.ts'
import { expect } from '../src/stack.ts'
import { charge, checkOut, insist, patiently, settle, told, type Racers, type Round, type Told } from './race-rounds.ts'

/** Bob has the item reserved and gives it up, while the seller accepts Alice's offer and Carol buys. */
export async function sellOneLamp({ seller, alice, bob, carol }: Racers, round: Round): Promise<string> {
  const item = { title: `Lamp of round ${round.nth}`, price: 20, category_id: 1 }
  const { body: lamp } = await patiently<Listing>(() => seller.send('POST', '/api/listings', item))
  const proposal = { listing_id: lamp.id, amount: 15 }
  const { body: offer } = await patiently<{ id: string }>(() => alice.send('POST', '/api/offers', proposal))
  const reserved = await checkOut(bob, lamp.id, 'buy_now')
  expect(told(reserved)).toBe('201')

  const winners: string[] = []
  const isOver = () => winners.length > 0
  const asWinner = (name: string) => (answer: Told) => {
    if (answer.status < 300) winners.push(name)
    return told(answer)
  }
  const accept = () => seller.send<{ code?: string }>('POST', `/api/offers/${offer.id}/accept`, {})
  const buy = () => checkOut(carol, lamp.id, 'buy_now')
  const [hasBobPaid, ...others] = await Promise.all([
    giveUp(bob, lamp, { intent: reserved.body, round }).then((hasPaid) => {
      if (hasPaid) winners.push('bob pays')
      return hasPaid
    }),
    insist(accept, isOver).then(asWinner('the offer is accepted')),
    insist(buy, isOver).then(asWinner('carol buys')),
  ])
  expect(winners, `${lamp.id}: ${others.join(', ')}`).toHaveLength(1)
  const refusals = others.filter((answer) => answer.startsWith('409'))
  expect(refusals).toHaveLength(hasBobPaid ? 2 : 1)
  const [winner = ''] = winners
  await payAsWinner({ alice, carol }, lamp, { winner, round })
  return winner
}

/** In some rounds he pays at the same time; answers whether he has the item after all. */
async function giveUp(bob: MarketplaceClient, lamp: Listing, { intent, round }: { intent: Intent; round: Round }) {
  const doesPay = round.nth % 3 === 0
  const [cancelled, isCharged] = await Promise.all([settle(bob, 'cancel', intent), doesPay && charge(bob, intent)])
  expect(told(cancelled)).toBe(isCharged ? '409 already_paid' : '200')
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
  expect(told(checkout)).toBe('201')
  expect(await charge(buyer, checkout.body)).toBe(true)
  expect(told(await settle(buyer, 'confirm', checkout.body))).toBe('200')
  round.note('paid', checkout.body, lamp.id)
}
