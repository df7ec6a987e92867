import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { helm, tryKubectl } from './support/kubectl.ts'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
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

const targetPercent = 50

const Autoscaler = z.object({
  status: z.object({
    currentMetrics: z
      .array(z.object({ resource: z.object({ current: z.object({ averageUtilization: z.int() }) }) }))
      .nullish(),
  }),
})

/** Returns the CPU use that the autoscaler has measured, in percent of the requests; null before its first measurement. */
async function cpuPercent(): Promise<number | null> {
  const { code, output } = await tryKubectl('get', 'hpa', 'auction', '--output', 'json')
  const read = code === 0 ? Autoscaler.safeParse(JSON.parse(output)) : undefined
  return read?.data?.status.currentMetrics?.[0]?.resource.current.averageUtilization ?? null
}

test('the auction service scales from one pod to four and back without a failed request', async () => {
  const { code } = await tryKubectl('top', 'pods')
  test.skip(code !== 0, 'metrics-server is not installed.')
  // 80m of CPU per pod: more than two idle pods use together, so that the autoscaler can scale down to one. The readers send
  // without pauses, so they cause several times this use on any machine.
  const scaled = { enabled: true, min: 1, max: 4, calmSeconds: 15, cpuPercent: targetPercent }
  const requests = 'auction.resources.requests.cpu=160m'
  await upgrade(requests, ...Object.entries(scaled).map(([name, value]) => `auction.autoscaling.${name}=${value}`))
  await expect.poll(cpuPercent, podPolling).not.toBeNull()
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
  // The autoscaler sees the load before it can act on it.
  await expect.poll(cpuPercent, podPolling).toBeGreaterThan(targetPercent)
  await expect.poll(async () => (await readyPods('auction')).length, podPolling).toBe(4)
  over.abort()
  await Promise.all(reading)
  await expect.poll(async () => (await readyPods('auction')).length, { ...podPolling, timeout: 6 * minuteMs }).toBe(1)
  process.stdout.write(`grown and back: ${JSON.stringify(statuses)}\n`)
  expect(Object.keys(statuses)).toEqual(['200'])
  await upgrade('auction.autoscaling.enabled=false', 'auction.resources.requests.cpu=200m')
})
