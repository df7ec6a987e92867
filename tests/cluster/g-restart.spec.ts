import { setTimeout as sleep } from 'node:timers/promises'
import { deployables } from '@marketplace/tools/generate/chart-values.ts'
import { kubectl } from './support/kubectl.ts'
import { expect, test } from '@playwright/test'
import { prepareLoadTarget, waitUntilReady } from './cluster.ts'

test.setTimeout(900_000)

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

test('all services start in any order with their servers late, and no acknowledged write is lost', async () => {
  const { target, people } = await prepareLoadTarget(2, 'restart')
  const [, bidder] = people
  await bidder?.post('/api/bids', { listing_id: target.auctionId, amount: 15 })
  const servers = ['postgres', 'kafka', 'redis']
  await kubectl('scale', 'statefulset', ...servers, '--replicas=0')
  for (const server of servers) await kubectl('wait', '--for=delete', `pod/${server}-0`, '--timeout=120s')
  for (const service of shuffled(deployables))
    await kubectl(
      'delete',
      'pod',
      '-l',
      `app.kubernetes.io/name=${service},app.kubernetes.io/component=server`,
      '--wait=false',
      '--grace-period=1',
    )
  await sleep(10_000)
  for (const server of shuffled(servers)) {
    await kubectl('scale', 'statefulset', server, '--replicas=1')
    await sleep(3000)
  }
  for (const service of deployables) await waitUntilReady(service, 1)
  await expect
    .poll(async () => (await bidder?.send<{ current_bid: number }>('GET', `/api/listings/${target.auctionId}`))?.body)
    .toMatchObject({ current_bid: 1500 })
  await expect(bidder?.post('/api/bids', { listing_id: target.auctionId, amount: 16 })).resolves.toBeTruthy()
})
