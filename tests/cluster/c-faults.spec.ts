import { kubectl, tryHelm } from './support/kubectl.ts'
import { underLoad } from './support/load.ts'
import { expect, test } from '@playwright/test'
import { prepareLoadTarget, readyPods, release, waitUntilReady } from './cluster.ts'

test.setTimeout(600_000)

// For auction the migration fails; web has none, so its pods fail.
for (const service of ['auction', 'web'])
  test(`a broken image of ${service} is rolled back without a failed request`, async () => {
    const { target, people } = await prepareLoadTarget(4, `broken-${service}`)
    const before = await readyPods(service)
    const result = await underLoad(target, people, async () => {
      const { code, output } = await release(service, 'broken', { TIMEOUT: '60s' })
      expect(code).toBe(1)
      expect(output).toContain(`The release of ${service} broken failed and was rolled back.`)
      expect(output).toMatch(/ErrImagePull|ImagePullBackOff/)
    })
    process.stdout.write(`rolled back: ${JSON.stringify(result)}\n`)
    expect(result.failed).toEqual({})
    expect(await readyPods(service)).toEqual(before)
  })

test('killed pods are replaced, and acknowledged writes are present', async () => {
  const { target, people } = await prepareLoadTarget(2, 'kill')
  const [, bidder] = people
  await bidder?.post('/api/bids', { listing_id: target.auctionId, amount: 12 })
  for (const service of ['auction', 'catalog', 'gateway']) {
    const [pod = ''] = await readyPods(service)
    await kubectl('delete', 'pod', pod, '--grace-period=0', '--force')
    await expect.poll(() => readyPods(service), { timeout: 240_000, intervals: [500] }).not.toContain(pod)
    await waitUntilReady(service, 1)
  }
  await expect
    .poll(async () => (await bidder?.send<{ current_bid: number }>('GET', `/api/listings/${target.auctionId}`))?.body)
    .toMatchObject({ current_bid: 1200 })
})

const tryUpgrade = (setting: string) =>
  tryHelm('upgrade', 'marketplace', 'deploy/helm/marketplace', '--reset-then-reuse-values', '--set', setting)

test('a missing Secret is reported before anything is installed', async () => {
  const { code, output } = await tryUpgrade('auction.secrets.DATABASE_URL.name=nowhere')
  expect(code).toBe(1)
  expect(output).toContain(
    'auction needs the Secret nowhere (key url, for DATABASE_URL), which is not in the namespace market.',
  )
})

test('a value of the wrong type is reported before anything is installed', async () => {
  const { code, output } = await tryUpgrade('auction.replicas=two')
  expect(code).toBe(1)
  expect(output).toContain("at '/replicas': got string, want integer")
})
