import { describe, expect, it } from 'vitest'
import { allowedEdges } from './edges.ts'
import { byKind, containersOf, egressEdges, ingressEdges, namesOf, own, set, shared } from './rendered.ts'
import { render, schemaViolations, securityViolations, type Manifest } from './tools.ts'
import { deployables, folderOf, workers } from '@marketplace/tools/generate/chart-values.ts'

const production = ['-f', 'deploy/helm/marketplace/values-production.yaml', ...shared]
const entryValues = (prefix: string) =>
  set(
    `${prefix}expose.hosts={shop.example}`,
    `${prefix}expose.httpRoute.enabled=true`,
    `${prefix}expose.httpRoute.parents[0].name=public`,
  )
const databases = ['catalog', 'auction', 'payments', 'messaging', 'search', 'users']
const readers = ['catalog', 'auction', 'payments', 'search']

const umbrella = await render('marketplace', [...production, ...entryValues('gateway.')])
const pods: Manifest[] = [...byKind(umbrella, 'Deployment'), ...byKind(umbrella, 'Job')].map(
  ({ spec }) => spec.template.spec,
)
const containers: Manifest[] = pods.flatMap((pod) => [...(pod.initContainers ?? []), ...pod.containers])

describe('the charts', () => {
  it.each(deployables)('install %s alone as the umbrella chart does', async (name) => {
    const values = [
      '-f',
      `${folderOf(name)}/deploy/values-production.yaml`,
      ...(name === 'gateway' ? entryValues('') : []),
    ]
    const inUmbrella = umbrella.filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === name)
    expect(await own(name, values)).toEqual(inUmbrella)
    expect(inUmbrella.length).toBeGreaterThan(5)
  })

  it('have no schema or security violation with the production values', async () => {
    expect(await schemaViolations(umbrella)).toEqual([])
    expect(await securityViolations(umbrella)).toEqual([])
  })

  it('render valid resources of KEDA, Ingress and the Gateway API', async () => {
    const lag = set(...readers.map((name) => `${name}.autoscaling.lag.enabled=true`))
    const keda = await render('marketplace', [...production, ...lag])
    expect(namesOf(byKind(keda, 'ScaledObject'))).toEqual(readers.toSorted())
    expect(namesOf(byKind(keda, 'HorizontalPodAutoscaler'))).toEqual([
      'catalog-pictures',
      'gateway',
      'messaging',
      'users',
      'web',
    ])
    const ingress = await own('gateway', set('expose.hosts={shop.example}', 'expose.ingress.enabled=true'))
    expect(namesOf(byKind(ingress, 'Ingress'))).toEqual(['gateway'])
    expect(namesOf(byKind(umbrella, 'HTTPRoute'))).toEqual(['gateway'])
    expect(await schemaViolations([...keda, ...ingress])).toEqual([])
  })

  it('K1 give every pod the security settings of "restricted", no token and no writable root', () => {
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
    const accounts = byKind(umbrella, 'ServiceAccount')
    expect(accounts.map((account) => account.automountServiceAccountToken)).toEqual(accounts.map(() => false))
  })

  it.each(namesOf(byKind(umbrella, 'Deployment')))(
    'let %s drain before it is killed, and serve until its endpoints are removed',
    (name) => {
      const named = (kind: string) => byKind(umbrella, kind).find(({ metadata }) => metadata.name === name)
      const { strategy, template } = named('Deployment').spec
      const [container] = template.spec.containers
      const { seconds } = container.lifecycle.preStop.sleep
      const drainMs = Number(named('ConfigMap').data.SHUTDOWN_TIMEOUT_MS)
      expect(seconds).toBeGreaterThanOrEqual(4)
      expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(seconds * 1000 + drainMs)
      expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
      expect(Object.keys(container)).toEqual(
        expect.arrayContaining(['startupProbe', 'readinessProbe', 'livenessProbe']),
      )
    },
  )

  it('migrate as the owner in a hook, and give the owner’s credentials to no serving pod', () => {
    const jobs = byKind(umbrella, 'Job')
    const knowsOwner = (manifest: Manifest) => JSON.stringify(manifest).includes('OWNER_DATABASE_URL')
    expect(namesOf(jobs)).toEqual(databases.map((name) => `${name}-migration-1`).toSorted())
    expect(namesOf(jobs.filter(knowsOwner))).toEqual(namesOf(jobs))
    expect(namesOf(byKind(umbrella, 'Deployment').filter(knowsOwner))).toEqual([])
    expect(new Set(jobs.map(({ metadata }) => metadata.annotations['helm.sh/hook']))).toEqual(
      new Set(['pre-install,pre-upgrade']),
    )
  })

  it('maintain the partitions of each schema as the owner, by the network policy of the migration', () => {
    const jobs = byKind(umbrella, 'CronJob').filter(({ metadata }) => metadata.name.endsWith('-partitions'))
    expect(namesOf(jobs)).toEqual(databases.map((name) => `${name}-partitions`).toSorted())
    for (const { metadata, spec } of jobs) {
      const { template } = spec.jobTemplate.spec
      const [container] = template.spec.containers
      expect(container.command).toEqual(['/usr/bin/node', 'src/migrate.ts', '--partitions'])
      expect(container.env.map(({ name }: { name: string }) => name)).toContain('OWNER_DATABASE_URL')
      const policy = byKind(umbrella, 'NetworkPolicy').find(
        ({ metadata: { name } }) => name === metadata.name.replace('-partitions', '-migration'),
      )
      expect(template.metadata.labels).toMatchObject(policy?.spec.podSelector.matchLabels)
    }
  })

  it('check the application role and create the topics before any pod of a release starts', () => {
    const commands = byKind(umbrella, 'Job').map(({ spec }) => spec.template.spec.containers[0].command)
    const start = ['/usr/bin/node', 'src/migrate.ts', '--release']
    expect(commands.map((command) => command.slice(0, start.length))).toEqual(commands.map(() => start))
    expect(commands).toContainEqual([...start, 'marketplace.users'])
  })

  it('let every container that mounts further certificate authorities trust them', async () => {
    const names = [...deployables, ...workers.map(({ alias }) => alias), 'ops']
    const given = [...names.map((name) => `${name}.trustedCa=ca`), 'ops.invariants.enabled=true']
    const manifests = await render('marketplace', [...production, ...set(...given)])
    const settings = new Map(byKind(manifests, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]))
    const isTrusting = ({ env = [], envFrom = [] }: Manifest) =>
      env.some(({ name }: Manifest) => name === 'NODE_EXTRA_CA_CERTS') ||
      envFrom.some(({ configMapRef }: Manifest) => settings.get(configMapRef.name)?.NODE_EXTRA_CA_CERTS)
    const isMounting = ({ volumeMounts }: Manifest) => volumeMounts.some(({ name }: Manifest) => name === 'trusted-ca')
    const mounting = containersOf(manifests).filter(isMounting)
    expect(mounting).toHaveLength(containersOf(manifests).length)
    expect(mounting.filter((container) => !isTrusting(container)).map(({ name, image }) => [image, name])).toEqual([])
  })

  it('migrate one service alone when it is named', async () => {
    const one = await render('marketplace', [...production, ...set('global.migrate=auction')])
    expect(namesOf(byKind(one, 'Job'))).toEqual(['auction-migration-1'])
  })

  it('have every Service with metrics scraped, the exporter of the invariants too', async () => {
    const manifests = await render('marketplace', [...production, ...set('ops.invariants.enabled=true')])
    const monitors = byKind(manifests, 'ServiceMonitor')
    const isScraped = ({ metadata, spec }: Manifest) =>
      monitors.some(
        (monitor) =>
          Object.entries(monitor.spec.selector.matchLabels).every(([name, value]) => metadata.labels[name] === value) &&
          spec.ports.some(({ name }: Manifest) => name === monitor.spec.endpoints[0].port),
      )
    const services = byKind(manifests, 'Service')
    expect(namesOf(services)).toContain('invariants')
    expect(namesOf(services.filter((service) => !isScraped(service)))).toEqual([])
    expect(await schemaViolations(monitors)).toEqual([])
  })

  it('contain no secret, only the names of existing ones', () => {
    expect(byKind(umbrella, 'Secret')).toEqual([])
    const literal = containers.flatMap(({ env = [] }) => env).filter(({ value }) => value !== undefined)
    expect(new Set(literal.map(({ name }) => name))).toEqual(new Set(['KAFKA_BROKERS']))
  })

  it('open exactly the connections of the internal calls and the route table', () => {
    const allowed = allowedEdges(deployables)
    expect(ingressEdges(umbrella)).toEqual(allowed)
    expect(egressEdges(umbrella)).toEqual(allowed)
  })

  it('K3 let the picture worker reach the database, the object store and the review service only', () => {
    const own = byKind(umbrella, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'catalog-pictures')
    const ports = own?.spec.egress.flatMap((rule: Manifest) => rule.ports.map(({ port }: { port: number }) => port))
    expect(new Set(ports)).toEqual(new Set([53, 443, 4318, 5432]))
    expect(own?.spec.ingress).toHaveLength(1)
  })

  it('K3 deny everything else with a policy for each pod in both directions', () => {
    const policies = byKind(umbrella, 'NetworkPolicy')
    expect(policies).toHaveLength(
      deployables.length +
        workers.length +
        databases.length +
        namesOf(policies).filter((name) => name === 'ops').length,
    )
    expect(policies.map(({ spec }) => spec.policyTypes)).toEqual(policies.map(() => ['Ingress', 'Egress']))
  })
})
