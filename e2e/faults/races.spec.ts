import { expect } from '../src/stack.ts'
import { findingsOf, quietMs, test } from './faults.ts'
import { endOneAuction } from './race-auction.ts'
import { sellOneLamp } from './race-lamp.ts'
import { meet, race, rounds } from './race-rounds.ts'

test.describe.configure({ timeout: 60_000 + rounds * 1500 })

// It is no race when the same one always wins; a few rounds may not show it.
function expectAllOf(possible: readonly string[], endings: readonly string[]): void {
  if (rounds >= 100) expect(endings).toEqual(possible)
  else expect(possible).toEqual(expect.arrayContaining([...endings]))
}

// Red when a cancelled dialog frees the item without the provider's word (`verdict` in payments' cancel-intent.ts), and without
// `forUpdate` in catalog's lockListing.
test(
  'a cancelled checkout against an accepted offer against buy now: one gets the item',
  { tag: '@long' },
  async ({ stack }) => {
    const racers = await meet(stack)
    const { journal, endings } = await race((round) => sellOneLamp(racers, round))
    expectAllOf(['bob pays', 'carol buys', 'the offer is accepted'], endings)
    expect(await findingsOf(stack, journal, quietMs)).toEqual([])
  },
)

// Red without `findCheckouts` in auction's close-auctions.ts.
test(
  'buying at once against the close against a bid that reaches the price: one sale',
  { tag: '@long' },
  async ({ stack }) => {
    const racers = await meet(stack)
    const { journal, endings } = await race((round) => endOneAuction(racers, round))
    expectAllOf(['bought at once', 'won'], endings)
    expect(await findingsOf(stack, journal, quietMs)).toEqual([])
  },
)
