import { setTimeout as sleep } from 'node:timers/promises'
import { DEPLOYABLES } from '@marketplace/dev/charts/values.ts'
import { kubectl } from '@marketplace/dev/cluster/kubectl.ts'
import { expect, test } from '@playwright/test'
import { openMarket, untilReady } from './cluster.ts'

test.setTimeout(900_000)

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

test('everything started at once in any order, with its servers late, comes up by itself and has lost nothing', async () => {
  const { market, people } = await openMarket(2, 'restart')
  const [, bidder] = people
  await bidder?.post('/api/bids', { listing_id: market.auctionId, amount: 15 })
  const servers = ['postgres', 'kafka', 'redis']
  await kubectl('scale', 'statefulset', ...servers, '--replicas=0')
  for (const server of servers) await kubectl('wait', '--for=delete', `pod/${server}-0`, '--timeout=120s')
  for (const service of shuffled(DEPLOYABLES))
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
  for (const service of DEPLOYABLES) await untilReady(service, 1)
  await expect
    .poll(async () => (await bidder?.send<{ current_bid: number }>('GET', `/api/listings/${market.auctionId}`))?.body)
    .toMatchObject({ current_bid: 1500 })
  await expect(bidder?.post('/api/bids', { listing_id: market.auctionId, amount: 16 })).resolves.toBeTruthy()
})
