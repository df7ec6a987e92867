import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { releaseSteps, buildReleaseSteps } from '../version-skew/release-steps.ts'
import { clusterIp } from './support/kubectl.ts'
import { underLoad } from './support/load.ts'
import { expect, test } from '@playwright/test'
import { expectedAfter } from '../version-skew/expected-after.ts'
import { prepareLoadTarget, podPolling, podsOf, release } from './cluster.ts'
import { stateAfter } from './stream.ts'

test.setTimeout(1_800_000)

test('an event field and a route are released under load, reader first and service before gateway', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'border-'))
  await buildReleaseSteps(folder)
  await rm(folder, { recursive: true })
  const { target, people } = await prepareLoadTarget(6, 'border')
  const [, bidder] = people
  const path = `/api/auctions/${target.auctionId}/leader`
  const headers = { connection: 'close' }
  const statusAt = async (base: string) => (await fetch(new URL(path, base), { headers })).status
  for (const [at, { service, tag }] of releaseSteps.entries()) {
    const result = await underLoad(target, people, async () => {
      const { code, output } = await release(service, tag)
      expect(output).toContain(`released ${service} ${tag}`)
      expect(code).toBe(0)
    })
    process.stdout.write(`released ${service} ${tag}: ${JSON.stringify(result)}\n`)
    expect(result.failed).toEqual({})
    // Terminating pods still serve requests. Once they are gone, only the new version responds.
    await expect.poll(async () => (await podsOf(service)).length, podPolling).toBe(1)

    const amount = 20 + at
    const bid = async () => void (await bidder?.post('/api/bids', { listing_id: target.auctionId, amount }))
    const { leader } = await stateAfter(target, bid, ({ current_bid }) => current_bid === amount * 100)
    const atService = await statusAt(`http://${await clusterIp('auction')}:8080`)
    expect({ leader, atService, atGateway: await statusAt(target.url) }).toEqual(expectedAfter[tag])
    // A consumer of a version without the field applies the event, too.
    const shown = async () =>
      (await bidder?.get<{ current_bid: number }>(`/api/listings/${target.auctionId}`))?.current_bid
    await expect.poll(shown, podPolling).toBe(amount * 100)
  }
})
