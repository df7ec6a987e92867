import { clusterIp, helm, kubectl, readJson, tryHelm } from './support/kubectl.ts'
import { putSecret } from './support/namespace.ts'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { podPolling, readyPods, release, secretValue } from './cluster.ts'

test.setTimeout(600_000)

/** Releases the auction service with this Secret's url changed, and restores it. */
async function releaseWith(secret: string, change: (url: URL) => void): Promise<string> {
  const url = await secretValue(secret, 'url')
  const changed = new URL(url)
  change(changed)
  const before = await readyPods('auction')
  await putSecret(secret, { url: changed.href })
  try {
    const { code, output } = await release('auction', 'two', { TIMEOUT: '2m' })
    expect(code).toBe(1)
    // The running pods are kept.
    expect(await readyPods('auction')).toEqual(before)
    return output
  } finally {
    await putSecret(secret, { url })
  }
}

test('a wrong password of the owner fails the release with the reason', async () => {
  const said = await releaseWith('auction-database-owner', (url) => (url.password = 'wrong'))
  expect(said).toContain('OWNER_DATABASE_URL does not work: password authentication failed for user "auction_owner".')
})

test('a wrong password of the application role fails the release with the reason', async () => {
  const said = await releaseWith('auction-database', (url) => (url.password = 'wrong'))
  expect(said).toContain('DATABASE_URL does not work: password authentication failed for user "auction_app".')
})

test('an unreachable broker fails the release with the reason', async () => {
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
  // After a failed release the previous one is deployed again.
  await helm('rollback', 'marketplace', '--wait')
})

interface Pod {
  status: { containerStatuses?: { state: { terminated?: { message?: string } } }[] }
}

test('a schema that is too old keeps new pods from starting while the old ones serve', async () => {
  const before = await readyPods('auction')
  const owner = new pg.Client({ connectionString: await externalUrl('auction-database-owner') })
  await owner.connect()
  await owner.query("update schema_migrations set name = 'kept/' || name where name = 'service/0001_auctions.sql'")
  try {
    await kubectl('rollout', 'restart', 'deployment/auction')
    await expect
      .poll(
        () =>
          kubectl('get', 'pods', '-l', 'app.kubernetes.io/name=auction', '-o', 'jsonpath={..initContainerStatuses[*]}'),
        podPolling,
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

/** Returns a database Secret's URL as this machine reaches it. */
async function externalUrl(secret: string): Promise<string> {
  const url = new URL(await secretValue(secret, 'url'))
  url.hostname = await clusterIp('postgres')
  return url.href
}
