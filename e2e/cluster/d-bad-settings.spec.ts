import { kubectl, readJson } from '@marketplace/dev/cluster/kubectl.ts'
import { putSecret } from '@marketplace/dev/cluster/namespace.ts'
import { expect, test } from '@playwright/test'
import { readyPods, release } from './cluster.ts'

test.setTimeout(600_000)

async function secretValue(name: string, key: string): Promise<string> {
  const { data } = await readJson('get', 'secret', name)
  return Buffer.from(data[key], 'base64').toString()
}

/** Releases the auction service with this Secret's url changed, and puts it back. */
async function releaseWith(secret: string, change: (url: URL) => void): Promise<string> {
  const url = await secretValue(secret, 'url')
  const changed = new URL(url)
  change(changed)
  const before = await readyPods('auction')
  await putSecret(secret, { url: changed.href })
  try {
    const { code, output } = await release('auction', 'two', { TIMEOUT: '2m' })
    expect(code).toBe(1)
    // What ran goes on running.
    expect(await readyPods('auction')).toEqual(before)
    return output
  } finally {
    await putSecret(secret, { url })
  }
}

test('a wrong password of the owner fails the release, which says so', async () => {
  const said = await releaseWith('auction-database-owner', (url) => (url.password = 'wrong'))
  expect(said).toContain('OWNER_DATABASE_URL does not work: password authentication failed for user "auction_owner".')
})

test('a wrong password of the running role fails the release, which says so', async () => {
  const said = await releaseWith('auction-database', (url) => (url.password = 'wrong'))
  expect(said).toContain('DATABASE_URL does not work: password authentication failed for user "auction_app".')
})

test('a broker that cannot be reached fails the release, which says so', async () => {
  const before = await readyPods('auction')
  await kubectl('scale', 'statefulset', 'kafka', '--replicas=0')
  await kubectl('wait', '--for=delete', 'pod/kafka-0', '--timeout=120s')
  try {
    const { code, output } = await release('auction', 'one', { TIMEOUT: '3m' })
    expect(code).toBe(1)
    expect(output).toContain('KAFKA_BROKERS does not work: kafka:9092')
    expect(await readyPods('auction')).toEqual(before)
  } finally {
    await kubectl('scale', 'statefulset', 'kafka', '--replicas=1')
    await kubectl('rollout', 'status', 'statefulset/kafka', '--timeout=240s')
  }
})
