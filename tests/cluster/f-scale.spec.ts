import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { helm, tryKubectl } from './support/kubectl.ts'
import { expect, test } from '@playwright/test'
import { minuteMs, prepareLoadTarget, podPolling, readyPods } from './cluster.ts'

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

test('the auction service scales from one pod to four and back without a failed request', async () => {
  const { code } = await tryKubectl('top', 'pods')
  test.skip(code !== 0, 'metrics-server is not installed.')
  const scaled = { enabled: true, min: 1, max: 4, calmSeconds: 15 }
  await upgrade(...Object.entries(scaled).map(([name, value]) => `auction.autoscaling.${name}=${value}`))
  const { target, people } = await prepareLoadTarget(6, 'scale')
  const statuses: Record<string, number> = {}
  const over = new AbortController()
  const readBids = async (person: MarketplaceClient) => {
    while (!over.signal.aborted) {
      const status = await person.statusOf(`/api/auctions/${target.auctionId}/bids`, minuteMs).catch(String)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const reading = people.map(readBids)
  await expect.poll(async () => (await readyPods('auction')).length, podPolling).toBe(4)
  over.abort()
  await Promise.all(reading)
  await expect.poll(async () => (await readyPods('auction')).length, { ...podPolling, timeout: 6 * minuteMs }).toBe(1)
  process.stdout.write(`grown and back: ${JSON.stringify(statuses)}\n`)
  expect(Object.keys(statuses)).toEqual(['200'])
  await upgrade('auction.autoscaling.enabled=false')
})
