// Stage B: a real API server takes every object of the release, and every pod under "restricted" and with a quota. Nothing runs.
import { byKind, set, shared } from '@marketplace/dev/charts/rendered.ts'
import { render, withManifests, type Manifest } from '@marketplace/dev/charts/tools.ts'
import { kubectl, tryKubectl } from '@marketplace/dev/cluster/kubectl.ts'
import { expect, test } from '@playwright/test'

const wayIn = set(
  'gateway.expose.hosts={shop.example}',
  'gateway.expose.httpRoute.enabled=true',
  'gateway.expose.httpRoute.parents[0].name=public',
)

function releaseFor(...values: readonly string[]): Promise<Manifest[]> {
  const files = ['-f', 'deploy/helm/marketplace/values-production.yaml']
  return render('marketplace', [
    ...files,
    ...shared,
    ...set('auction.autoscaling.lag.enabled=true'),
    ...wayIn,
    ...set(...values),
  ])
}

/** The pods that controllers would make of the release. */
function podsOf(manifests: readonly Manifest[]): Manifest[] {
  return [...byKind(manifests, 'Deployment'), ...byKind(manifests, 'Job')].map(({ metadata, spec }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${metadata.name}-pod`, labels: spec.template.metadata.labels },
    spec: spec.template.spec,
  }))
}

const tryCreate = (manifests: readonly Manifest[]) =>
  withManifests(manifests, (file) => tryKubectl('create', '--dry-run=server', '--filename', file))

// A pod's account must be there; Kubernetes' own controllers, which make the default one, need not run.
test.beforeAll(async () => {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  const accounts = byKind(await releaseFor(), 'ServiceAccount')
  await withManifests([account, ...accounts], (file) => kubectl('apply', '--filename', file))
})
test.afterAll(async () => {
  await kubectl('delete', 'serviceaccount', '-l', 'app.kubernetes.io/part-of=marketplace')
})

test('the API server takes every object of a production release, without a warning', async () => {
  const manifests = await releaseFor()
  const objects = manifests.filter(({ kind }) => kind !== 'ServiceAccount')
  const { code, output } = await tryCreate(objects)
  expect(output).not.toMatch(/Warning|error/i)
  expect(code).toBe(0)
  expect(output.match(/created \(server dry run\)/g)).toHaveLength(objects.length)
})

test("the API server takes the resources of the servers' operators", async () => {
  const manifests = await render('servers', ['-f', 'deploy/helm/servers/values-operators.yaml'])
  const { code, output } = await tryCreate(manifests)
  expect(output).not.toMatch(/Warning|error/i)
  expect(code).toBe(0)
  expect(output.match(/created \(server dry run\)/g)).toHaveLength(manifests.length)
})

test('the API server takes every pod under "restricted", with the quota on', async () => {
  const { code, output } = await tryCreate(podsOf(await releaseFor()))
  expect(output).not.toMatch(/forbidden|Warning/)
  expect(code).toBe(0)
})

test('a pod that may become root is refused by Pod Security', async () => {
  const pods = podsOf(await releaseFor())
  const [pod] = pods
  pod.spec.securityContext.runAsNonRoot = false
  const { code, output } = await tryCreate([pod])
  expect(code).toBe(1)
  expect(output).toContain('violates PodSecurity "restricted:latest"')
})

test('a pod that names no resources is refused by the quota', async () => {
  const [pod] = podsOf(await releaseFor())
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) container.resources = {}
  const { code, output } = await tryCreate([pod])
  expect(code).toBe(1)
  expect(output).toContain('failed quota: all: must specify')
})

test('an autoscaler that may have fewer pods than it must is refused, which no schema sees', async () => {
  const manifests = await releaseFor('users.autoscaling.min=9', 'users.autoscaling.max=3')
  const scaler = byKind(manifests, 'HorizontalPodAutoscaler').filter(({ metadata }) => metadata.name === 'users')
  const { code, output } = await tryCreate(scaler)
  expect(code).toBe(1)
  expect(output).toContain('maxReplicas')
})
