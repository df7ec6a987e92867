import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancel, openCheckout } from '../../testing/calls.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { statesOf } from '../../testing/ledger.ts'
import { waitForStates } from '../../testing/sweeps.ts'
import { addWonAuction, auctionWon, startUpstreamEvents, type UpstreamEvents } from '../../testing/upstream-events.ts'

let harness: Harness
let service: Service
let upstream: UpstreamEvents

beforeAll(async () => {
  harness = await createHarness()
  upstream = await startUpstreamEvents(harness)
})
afterAll(async () => {
  await upstream.close()
  await harness.stop()
})

describe('3,000 auctions that are won at once', () => {
  it('become 3,000 sales in few transactions, each once', async () => {
    const wins = Array.from({ length: 3000 }, () => addWonAuction(harness, randomUser()))
    const events = wins.map(auctionWon)
    // The first sale is announced by two events.
    await upstream.sendAll([...events, ...wins.slice(0, 1).map(auctionWon)])
    service = await harness.start()
    await eventually(async () => (await countHeld()) === 3000, 60_000)
    await eventually(async () => (await countConsumed()) === 3001)
    expect(await countTransactions()).toBeLessThanOrEqual(3001 / 50)
    expect(await upstream.countParked()).toBe(0)
  })

  it('are registered although one of their batch waits for a checkout of its listing', async () => {
    const blocked = addWonAuction(harness, randomUser())
    harness.catalog.addItem({ listingId: blocked.item.listingId })
    const bob = randomUser('Bob')
    const intent = await openCheckout(harness, service, bob, blocked.item.listingId)
    const wins = Array.from({ length: 20 }, () => addWonAuction(harness, randomUser()))
    await upstream.sendAll([...wins, blocked].map(auctionWon))
    await eventually(async () => {
      const states = await Promise.all(wins.map(({ item }) => statesOf(harness, item.listingId)))
      return states.every(([state]) => state === 'held')
    })
    expect(await statesOf(harness, blocked.item.listingId)).toEqual(['payable'])
    await cancel(harness, service, bob, intent)
    await waitForStates(harness, blocked.item.listingId, ['held', 'released'])
  })
})

async function countHeld(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) from transactions where state = 'held'`.execute(
    harness.db,
  )
  return rows[0]?.count
}

async function countConsumed(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from inbox where consumer = 'due-sales'`.execute(harness.db)
  return rows[0]?.count
}

/** Number of transactions that inserted sales. */
async function countTransactions(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text) from transactions`.execute(harness.db)
  return rows[0]?.count
}
