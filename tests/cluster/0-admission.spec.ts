// Stage B: an API server admits every object of the release, and every pod under "restricted" and with a quota. No pod
// runs.
import { byKind, set, shared } from '../deploy/rendered.ts'
import { render, withManifests, type Manifest } from '../deploy/tools.ts'
import { kubectl, tryKubectl } from './support/kubectl.ts'
import { expect, test } from '@playwright/test'

const entryValues = set(
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
    ...entryValues,
    ...set(...values),
  ])
}

/** Returns the pods that the controllers would create for the release. */
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

// A pod's service account must exist; the controller that creates the default one need not run.
test.beforeAll(async () => {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  const accounts = byKind(await releaseFor(), 'ServiceAccount')
  await withManifests([account, ...accounts], (file) => kubectl('apply', '--filename', file))
})
test.afterAll(async () => {
  await kubectl('delete', 'serviceaccount', '-l', 'app.kubernetes.io/part-of=marketplace')
})

test('the API server admits every object of a production release without a warning', async () => {
  const manifests = await releaseFor()
  const objects = manifests.filter(({ kind }) => kind !== 'ServiceAccount')
  const { code, output } = await tryCreate(objects)
  expect(output).not.toMatch(/Warning|error/i)
  expect(code).toBe(0)
  expect(output.match(/created \(server dry run\)/g)).toHaveLength(objects.length)
})

test("the API server admits the resources of the servers' operators", async () => {
  const manifests = await render('servers', ['-f', 'deploy/helm/servers/values-operators.yaml'])
  const { code, output } = await tryCreate(manifests)
  expect(output).not.toMatch(/Warning|error/i)
  expect(code).toBe(0)
  expect(output.match(/created \(server dry run\)/g)).toHaveLength(manifests.length)
})

test('the API server admits every pod under "restricted" with the quota', async () => {
  const { code, output } = await tryCreate(podsOf(await releaseFor()))
  expect(output).not.toMatch(/forbidden|Warning/)
  expect(code).toBe(0)
})

test('Pod Security rejects a pod that may run as root', async () => {
  const pods = podsOf(await releaseFor())
  const [pod] = pods
  pod.spec.securityContext.runAsNonRoot = false
  const { code, output } = await tryCreate([pod])
  expect(code).toBe(1)
  expect(output).toContain('violates PodSecurity "restricted:latest"')
})

test('the quota rejects a pod without resources', async () => {
  const [pod] = podsOf(await releaseFor())
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) container.resources = {}
  const { code, output } = await tryCreate([pod])
  expect(code).toBe(1)
  expect(output).toContain('failed quota: all: must specify')
})

test('an autoscaler whose maximum is below its minimum is rejected, which no schema checks', async () => {
  const manifests = await releaseFor('users.autoscaling.min=9', 'users.autoscaling.max=3')
  const scaler = byKind(manifests, 'HorizontalPodAutoscaler').filter(({ metadata }) => metadata.name === 'users')
  const { code, output } = await tryCreate(scaler)
  expect(code).toBe(1)
  expect(output).toContain('maxReplicas')
})
