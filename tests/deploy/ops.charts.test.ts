import { schemas } from '@marketplace/contracts/services.ts'
import { commands } from '@marketplace/ops/commands/commands.ts'
import { readRoles } from '@marketplace/ops/commands/settings.ts'
import { describe, expect, it } from 'vitest'
import { byKind, containersOf, namesOf, set, shared } from './rendered.ts'
import { render, schemaViolations, securityViolations, type Manifest } from './tools.ts'

const all = ['global.image.tag=abc', 'invariants.enabled=true', 'backup.claim=backups', 'trustedCa=ca']
const manifests = await render('ops', set(...all))
const jobs = byKind(manifests, 'CronJob')
const podOf = (job: Manifest) => job.spec.jobTemplate.spec.template.spec
const pods: Manifest[] = [...jobs.map(podOf), byKind(manifests, 'Deployment')[0].spec.template.spec]
const secretsOf = (pod: Manifest): string[] =>
  pod.containers[0].env.flatMap(({ name, valueFrom }: Manifest) =>
    valueFrom ? [`${name} ${valueFrom.secretKeyRef.name}`] : [],
  )

/** Returns the role that connects with the URL in a Secret. */
function roleOf(secret: string): string {
  if (secret === 'ops-database') return 'ops_reader'
  if (secret === 'catalog-pictures-database') return 'catalog_pictures'
  return secret.replace(/-database-owner$/, '_owner').replace(/-database$/, '_app')
}

describe('the chart of operations', () => {
  it('has no schema or security violation', async () => {
    expect(await schemaViolations(manifests)).toEqual([])
    expect(await securityViolations(manifests)).toEqual([])
  })

  it('has a suspended CronJob for each command of the image', () => {
    expect(namesOf(jobs)).toEqual(
      Object.keys(commands)
        .map((name) => `ops-${name}`)
        .toSorted(),
    )
    expect(jobs.map(({ spec }) => spec.suspend)).toEqual(jobs.map(() => true))
    for (const { metadata, spec } of jobs) {
      const [container] = spec.jobTemplate.spec.template.spec.containers
      expect(container.args.slice(0, 2)).toEqual(['main.ts', metadata.name.replace('ops-', '')])
    }
  })

  it('gives an administrator’s access to provision and restore only', () => {
    const administrators = jobs.filter((job) => secretsOf(podOf(job)).includes('DATABASE_URL postgres-admin'))
    expect(namesOf(administrators)).toEqual(['ops-provision', 'ops-restore'])
    const readers = pods.filter((pod) => secretsOf(pod).includes('DATABASE_URL ops-database'))
    expect(readers).toHaveLength(pods.length - 2)
    expect(readers.flatMap(secretsOf).filter((secret) => /database-owner|_DATABASE_URL/.test(secret))).toEqual([])
  })

  it('K1 gives every pod the security settings of "restricted", no token and no writable root', () => {
    for (const pod of pods) {
      expect([pod.automountServiceAccountToken, pod.securityContext.runAsNonRoot]).toEqual([false, true])
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('schedules backups when they are not suspended, and has none without a volume', async () => {
    const daily = await render('ops', set(...all, 'backup.suspend=false'))
    const backup = byKind(daily, 'CronJob').find(({ metadata }) => metadata.name === 'ops-backup')
    expect([backup.spec.suspend, backup.spec.schedule]).toEqual([false, '0 3 * * *'])
    const without = await render('ops', set('global.image.tag=abc'))
    expect(namesOf(byKind(without, 'CronJob'))).toEqual(['ops-provision', 'ops-timeline', 'ops-verify-invariants'])
    expect(byKind(without, 'Deployment')).toEqual([])
  })

  it('gives the exporter and the command that verifies the invariants the same settings', async () => {
    const limited = await render('ops', set(...all, 'invariants.maxFirstPurchaseExposureCents=70000'))
    const verify = byKind(limited, 'CronJob').find(({ metadata }) => metadata.name === 'ops-verify-invariants')
    const exporter = byKind(limited, 'Deployment')[0].spec.template.spec
    const settingsOf = (pod: Manifest): Manifest[] => pod.containers[0].env
    const periodic = new Set(['METRICS_PORT', 'CHECK_EVERY_MS'])
    expect(settingsOf(podOf(verify))).toContainEqual({ name: 'MAX_FIRST_PURCHASE_EXPOSURE_CENTS', value: '70000' })
    expect(settingsOf(podOf(verify))).toEqual(settingsOf(exporter).filter(({ name }) => !periodic.has(name)))
  })

  it('alone creates the role of every database Secret of the marketplace, which is installed without it', async () => {
    const marketplace = await render('marketplace', [...shared, ...set('ops.enabled=false')])
    expect(namesOf(marketplace).filter((name) => /^ops|^invariants$/.test(name))).toEqual([])
    const alone = await render('ops', set('global.image.tag=abc'))
    const provision = byKind(alone, 'CronJob').find(({ metadata }) => metadata.name === 'ops-provision')
    const variables: [string, string][] = podOf(provision).containers[0].env.map(({ name, valueFrom }: Manifest) => [
      name,
      valueFrom.secretKeyRef.name,
    ])
    const used = containersOf(marketplace).flatMap(({ env = [] }) => env.map(({ valueFrom }: Manifest) => valueFrom))
    const secrets = new Set(used.map((from) => from?.secretKeyRef.name).filter((name) => /-database\b/.test(name)))
    const known = new Set(variables.map(([, secret]) => secret))
    expect([...secrets]).toContain('catalog-pictures-database')
    expect([...secrets].filter((name) => !known.has(name))).toEqual([])
    // The command rejects an environment without the URL of a role.
    const environment = variables.map(([name, secret]) => [name, `postgres://${roleOf(secret)}:secret@postgres/shop`])
    expect(readRoles(Object.fromEntries(environment))).toMatchObject({ services: schemas, database: 'shop' })
  })

  it('is part of the umbrella chart, with the name that Prometheus scrapes', async () => {
    const umbrella = await render('marketplace', [...shared, ...set('ops.invariants.enabled=true')])
    expect(namesOf(byKind(umbrella, 'Service'))).toContain('invariants')
    expect(namesOf(byKind(umbrella, 'CronJob'))).toContain('ops-timeline')
  })
})
