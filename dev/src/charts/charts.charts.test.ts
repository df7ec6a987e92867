import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../run.ts'
import { edgesOfPage, type Edge } from './edges.ts'
import { byKind, egressEdges, ingressEdges, namesOf, own, set, shared } from './rendered.ts'
import { render, schemaFaults, securityFaults, type Manifest } from './tools.ts'
import { DEPLOYABLES, folderOf } from './values.ts'

const production = ['-f', 'deploy/helm/marketplace/values-production.yaml', ...shared]
const wayIn = (prefix: string) =>
  set(
    `${prefix}expose.hosts={shop.example}`,
    `${prefix}expose.httpRoute.enabled=true`,
    `${prefix}expose.httpRoute.parents[0].name=public`,
  )
const databases = ['catalog', 'auction', 'payments', 'messaging', 'search', 'users']
const readers = ['catalog', 'auction', 'payments', 'search']

const whole = await render('marketplace', [...production, ...wayIn('gateway.')])
const pods: Manifest[] = [...byKind(whole, 'Deployment'), ...byKind(whole, 'Job')].map(({ spec }) => spec.template.spec)
const containers: Manifest[] = pods.flatMap((pod) => [...(pod.initContainers ?? []), ...pod.containers])

describe('the charts', () => {
  it.each(DEPLOYABLES)('install %s alone as the umbrella installs it', async (name) => {
    const values = ['-f', `${folderOf(name)}/deploy/values-production.yaml`, ...(name === 'gateway' ? wayIn('') : [])]
    const inUmbrella = whole.filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === name)
    expect(await own(name, values)).toEqual(inUmbrella)
    expect(inUmbrella.length).toBeGreaterThan(5)
  })

  it('have zero findings of schemas and of security for production', async () => {
    expect(await schemaFaults(whole)).toEqual([])
    expect(await securityFaults(whole)).toEqual([])
  })

  it('render resources of KEDA, of Ingress and of the Gateway API that fit their schemas', async () => {
    const lag = set(...readers.map((name) => `${name}.autoscaling.lag.enabled=true`))
    const keda = await render('marketplace', [...production, ...lag])
    expect(namesOf(byKind(keda, 'ScaledObject'))).toEqual(readers.toSorted())
    expect(namesOf(byKind(keda, 'HorizontalPodAutoscaler'))).toEqual(['gateway', 'messaging', 'users', 'web'])
    const ingress = await own('gateway', set('expose.hosts={shop.example}', 'expose.ingress.enabled=true'))
    expect(namesOf(byKind(ingress, 'Ingress'))).toEqual(['gateway'])
    expect(namesOf(byKind(whole, 'HTTPRoute'))).toEqual(['gateway'])
    expect(await schemaFaults([...keda, ...ingress])).toEqual([])
  })

  it('K1 give every pod the security that "restricted" asks for, no token and no writable root', () => {
    expect(pods.map((pod) => [pod.automountServiceAccountToken, pod.securityContext.runAsNonRoot])).toEqual(
      pods.map(() => [false, true]),
    )
    expect(pods.map((pod) => pod.securityContext.seccompProfile)).toEqual(pods.map(() => ({ type: 'RuntimeDefault' })))
    expect(containers.map(({ securityContext }) => securityContext)).toEqual(
      containers.map(() => ({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })),
    )
    const accounts = byKind(whole, 'ServiceAccount')
    expect(accounts.map((account) => account.automountServiceAccountToken)).toEqual(accounts.map(() => false))
  })

  it.each(namesOf(byKind(whole, 'Deployment')))(
    'let %s drain before it is killed, and answer while its endpoints go',
    (name) => {
      const named = (kind: string) => byKind(whole, kind).find(({ metadata }) => metadata.name === name)
      const { strategy, template } = named('Deployment').spec
      const [container] = template.spec.containers
      const { seconds } = container.lifecycle.preStop.sleep
      const drainMs = Number(named('ConfigMap').data.DRAIN_MS)
      expect(seconds).toBeGreaterThanOrEqual(4)
      expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(seconds * 1000 + drainMs)
      expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
      expect(Object.keys(container)).toEqual(
        expect.arrayContaining(['startupProbe', 'readinessProbe', 'livenessProbe']),
      )
    },
  )

  it('migrate as the owner in a hook, and keep the owner from the pods that serve', () => {
    const jobs = byKind(whole, 'Job')
    const knowsOwner = (manifest: Manifest) => JSON.stringify(manifest).includes('OWNER_DATABASE_URL')
    expect(namesOf(jobs)).toEqual(databases.map((name) => `${name}-migration-1`).toSorted())
    expect(namesOf(jobs.filter(knowsOwner))).toEqual(namesOf(jobs))
    expect(namesOf(byKind(whole, 'Deployment').filter(knowsOwner))).toEqual([])
    expect(new Set(jobs.map(({ metadata }) => metadata.annotations['helm.sh/hook']))).toEqual(
      new Set(['pre-install,pre-upgrade']),
    )
  })

  it('try the running role and make the topics before any pod of a release starts', () => {
    const commands = byKind(whole, 'Job').map(({ spec }) => spec.template.spec.containers[0].command)
    const start = ['/usr/bin/node', 'src/migrate.ts', '--release']
    expect(commands.map((command) => command.slice(0, start.length))).toEqual(commands.map(() => start))
    expect(commands).toContainEqual([...start, 'marketplace.users'])
  })

  it('migrate one service alone when told which', async () => {
    const one = await render('marketplace', [...production, ...set('global.migrate=auction')])
    expect(namesOf(byKind(one, 'Job'))).toEqual(['auction-migration-1'])
  })

  it('hold no secret, only the names of existing ones', () => {
    expect(byKind(whole, 'Secret')).toEqual([])
    const literal = containers.flatMap(({ env = [] }) => env).filter(({ value }) => value !== undefined)
    expect(new Set(literal.map(({ name }) => name))).toEqual(new Set(['KAFKA_BROKERS']))
  })

  it('open exactly the connections of the architecture page', async () => {
    const page = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
    const routed = DEPLOYABLES.filter((name) => name !== 'gateway').map((name): Edge => `gateway → ${name}:public`)
    const allowed = [...edgesOfPage(page, DEPLOYABLES), ...routed].toSorted()
    expect(ingressEdges(whole)).toEqual(allowed)
    expect(egressEdges(whole)).toEqual(allowed)
  })

  it('K3 refuse everything else: a policy for each pod, with both directions', () => {
    const policies = byKind(whole, 'NetworkPolicy')
    expect(policies).toHaveLength(DEPLOYABLES.length + databases.length)
    expect(policies.map(({ spec }) => spec.policyTypes)).toEqual(policies.map(() => ['Ingress', 'Egress']))
  })
})
