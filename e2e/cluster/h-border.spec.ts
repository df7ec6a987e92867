import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { borderSteps, buildBorderSteps } from '@marketplace/dev/cluster/border.ts'
import { clusterIp } from '@marketplace/dev/cluster/kubectl.ts'
import { underLoad } from '@marketplace/dev/cluster/load.ts'
import { expect, test } from '@playwright/test'
import { openMarket, patience, podsOf, release } from './cluster.ts'
import { stateAfter } from './stream.ts'

test.setTimeout(1_800_000)

// By the tag that was just released: who leads as the live stream says it, and what the new route answers at the service
// itself and at the gateway.
const seen: Record<string, object> = {
  'reads-leader': { leader: undefined, atService: 404, atGateway: 404 },
  'sends-leader': { leader: expect.stringContaining('***'), atService: 200, atGateway: 404 },
  'names-route': { leader: expect.stringContaining('***'), atService: 200, atGateway: 200 },
}

test('a new field of an event and a new route are shipped reader first, service before gateway, each release under load', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'border-'))
  await buildBorderSteps(folder)
  await rm(folder, { recursive: true })
  const { market, people } = await openMarket(6, 'border')
  const [, bidder] = people
  const path = `/api/auctions/${market.auctionId}/leader`
  const headers = { connection: 'close' }
  const statusAt = async (base: string) => (await fetch(new URL(path, base), { headers })).status
  for (const [at, { service, tag }] of borderSteps.entries()) {
    const answered = await underLoad(market, people, async () => {
      const { code, output } = await release(service, tag)
      expect(output).toContain(`released ${service} ${tag}`)
      expect(code).toBe(0)
    })
    process.stdout.write(`released ${service} ${tag}: ${JSON.stringify(answered)}\n`)
    expect(answered.failed).toEqual({})
    // The pods before are still draining, and answered too: what is asked now is asked of the new ones.
    await expect.poll(async () => (await podsOf(service)).length, patience).toBe(1)

    const amount = 20 + at
    const bid = async () => void (await bidder?.post('/api/bids', { listing_id: market.auctionId, amount }))
    const { leader } = await stateAfter(market, bid, ({ current_bid }) => current_bid === amount * 100)
    const atService = await statusAt(`http://${await clusterIp('auction')}:8080`)
    expect({ leader, atService, atGateway: await statusAt(market.url) }).toEqual(seen[tag])
    // Who reads the event in a version that does not know the field takes it all the same.
    const shown = async () =>
      (await bidder?.get<{ current_bid: number }>(`/api/listings/${market.auctionId}`))?.current_bid
    await expect.poll(shown, patience).toBe(amount * 100)
  }
})
