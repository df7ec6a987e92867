import { clusterIp, helm, kubectl, readJson, tryHelm } from '@marketplace/dev/cluster/kubectl.ts'
import { putSecret } from '@marketplace/dev/cluster/namespace.ts'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { patience, readyPods, release, secretValue } from './cluster.ts'

test.setTimeout(600_000)

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
  const only = ['--set', 'global.migrate=auction', '--set', 'global.settings.KAFKA_BROKERS=postgres:9092']
  const { code } = await tryHelm(
    'upgrade',
    'marketplace',
    'deploy/helm/marketplace',
    '--reset-then-reuse-values',
    ...only,
  )
  expect(code).toBe(1)
  const { items } = await readJson(
    'get',
    'pods',
    '-l',
    'app.kubernetes.io/name=auction,app.kubernetes.io/component=migration',
  )
  const messages = items.map((pod: Pod) => pod.status.containerStatuses?.[0]?.state.terminated?.message ?? '')
  expect(messages.join('')).toContain('KAFKA_BROKERS does not work: postgres:9092')
  expect(await readyPods('auction')).toEqual(before)
  // A release that failed is not the last word: the one before it is deployed again.
  await helm('rollback', 'marketplace', '--wait')
})

interface Pod {
  status: { containerStatuses?: { state: { terminated?: { message?: string } } }[] }
}

test('a schema that is too old keeps new pods from starting, which say so, while the old ones serve', async () => {
  const before = await readyPods('auction')
  const owner = new pg.Client({ connectionString: await outside('auction-database-owner') })
  await owner.connect()
  await owner.query("update schema_migrations set name = 'kept/' || name where name = 'service/0001_auctions.sql'")
  try {
    await kubectl('rollout', 'restart', 'deployment/auction')
    await expect
      .poll(
        () =>
          kubectl('get', 'pods', '-l', 'app.kubernetes.io/name=auction', '-o', 'jsonpath={..initContainerStatuses[*]}'),
        patience,
      )
      .toContain('The schema is too old: service/0001_auctions.sql must be applied first.')
    expect(await readyPods('auction')).toEqual(before)
  } finally {
    await owner.query("update schema_migrations set name = 'service/0001_auctions.sql' where name like 'kept/%'")
    await owner.end()
    await kubectl('rollout', 'undo', 'deployment/auction')
    await kubectl('rollout', 'status', 'deployment/auction', '--timeout=240s')
  }
})

/** The address of a database Secret as this machine reaches it. */
async function outside(secret: string): Promise<string> {
  const url = new URL(await secretValue(secret, 'url'))
  url.hostname = await clusterIp('postgres')
  return url.href
}
