import { expect } from '../../support/processes/stack.ts'
import { violationsOf, idleTimeoutMs, test } from '../load/faults.ts'
import { raceForAuction } from './race-for-auction.ts'
import { raceForLamp } from './race-for-lamp.ts'
import { signInRacers, race, rounds } from './race-rounds.ts'

test.describe.configure({ timeout: 60_000 + rounds * 1500 })

// A race with a single possible winner tests nothing; a few rounds may not show every outcome.
function expectAllOf(possible: readonly string[], endings: readonly string[]): void {
  if (rounds >= 100) expect(endings).toEqual(possible)
  else expect(possible).toEqual(expect.arrayContaining([...endings]))
}

// Fails when a cancelled dialog releases the item without checking the intent (`verdict` in payments'
// cancel-intent.ts), and without `forUpdate` in catalog's lockListing.
test('a cancelled checkout, an accepted offer and a purchase race for an item: one buyer gets it', async ({
  stack,
}) => {
  const racers = await signInRacers(stack)
  const { journal, endings } = await race((round) => raceForLamp(racers, round))
  expectAllOf(['bob pays', 'carol buys', 'the offer is accepted'], endings)
  expect(await violationsOf(stack, journal, idleTimeoutMs)).toEqual([])
})

// Fails without `findCheckouts` in auction's close-auctions.ts.
test('a buy-now checkout, the closing and a bid that reaches the price race: there is one sale', async ({ stack }) => {
  const racers = await signInRacers(stack)
  const { journal, endings } = await race((round) => raceForAuction(racers, round))
  expectAllOf(['bought at once', 'won'], endings)
  expect(await violationsOf(stack, journal, idleTimeoutMs)).toEqual([])
})
