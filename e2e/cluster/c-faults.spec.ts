import { kubectl, tryHelm } from '@marketplace/dev/cluster/kubectl.ts'
import { underLoad } from '@marketplace/dev/cluster/load.ts'
import { expect, test } from '@playwright/test'
import { openMarket, readyPods, release, untilReady } from './cluster.ts'

test.setTimeout(600_000)

// Of auction the migration fails already, of web, which has none, the pods.
for (const service of ['auction', 'web'])
  test(`a broken image of ${service} is taken back by itself, and nobody notices`, async () => {
    const { market, people } = await openMarket(4, `broken-${service}`)
    const before = await readyPods(service)
    const answered = await underLoad(market, people, async () => {
      const { code, output } = await release(service, 'broken', { TIMEOUT: '60s' })
      expect(code).toBe(1)
      expect(output).toContain(`The release of ${service} broken failed and was taken back.`)
      expect(output).toMatch(/ErrImagePull|ImagePullBackOff/)
    })
    process.stdout.write(`taken back: ${JSON.stringify(answered)}\n`)
    expect(answered.failed).toEqual({})
    expect(await readyPods(service)).toEqual(before)
  })

test('killed pods come back, and what was acknowledged is there', async () => {
  const { market, people } = await openMarket(2, 'kill')
  const [, bidder] = people
  await bidder?.post('/api/bids', { listing_id: market.auctionId, amount: 12 })
  for (const service of ['auction', 'catalog', 'gateway']) {
    const [pod = ''] = await readyPods(service)
    await kubectl('delete', 'pod', pod, '--grace-period=0', '--force')
    await expect.poll(() => readyPods(service), { timeout: 240_000, intervals: [500] }).not.toContain(pod)
    await untilReady(service, 1)
  }
  await expect
    .poll(async () => (await bidder?.send<{ current_bid: number }>('GET', `/api/listings/${market.auctionId}`))?.body)
    .toMatchObject({ current_bid: 1200 })
})

const tryUpgrade = (setting: string) =>
  tryHelm('upgrade', 'marketplace', 'deploy/helm/marketplace', '--reset-then-reuse-values', '--set', setting)

test('a Secret that is missing is named before anything is installed', async () => {
  const { code, output } = await tryUpgrade('auction.secrets.DATABASE_URL.name=nowhere')
  expect(code).toBe(1)
  expect(output).toContain(
    'auction needs the Secret nowhere (key url, for DATABASE_URL), which is not in the namespace market.',
  )
})

test('a value of a wrong type is named before anything is installed', async () => {
  const { code, output } = await tryUpgrade('auction.replicas=two')
  expect(code).toBe(1)
  expect(output).toContain("at '/replicas': got string, want integer")
})
