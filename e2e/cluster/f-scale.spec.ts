import { helm, tryKubectl } from '@marketplace/dev/cluster/kubectl.ts'
import { expect, test } from '@playwright/test'
import { openMarket, patience, readyPods } from './cluster.ts'

test.setTimeout(900_000)

function upgrade(...values: readonly string[]): Promise<string> {
  const flags = ['--reset-then-reuse-values', '--set', 'global.migrate=none', '--wait', '--timeout', '4m']
  return helm(
    'upgrade',
    'marketplace',
    'deploy/helm/marketplace',
    ...flags,
    ...values.flatMap((value) => ['--set', value]),
  )
}

test('the auction service grows from one pod to four under bids, and back', async () => {
  const { code } = await tryKubectl('top', 'pods')
  test.skip(code !== 0, 'There are no metrics: metrics-server is not built.')
  const scaled = { enabled: true, min: 1, max: 4, cpuPercent: 50, calmSeconds: 15 }
  await upgrade(...Object.entries(scaled).map(([name, value]) => `auction.autoscaling.${name}=${value}`))
  const { market, people } = await openMarket(6, 'scale')
  const over = new AbortController()
  const bidding = people.slice(1).map(async (person) => {
    while (!over.signal.aborted)
      await person.send('GET', `/api/auctions/${market.auctionId}/bids`).catch(() => undefined)
  })
  await expect.poll(async () => (await readyPods('auction')).length, patience).toBe(4)
  over.abort()
  await Promise.all(bidding)
  await expect.poll(async () => (await readyPods('auction')).length, { ...patience, timeout: 360_000 }).toBe(1)
  await upgrade('auction.autoscaling.enabled=false')
})
