import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { topics } from '@marketplace/contracts/topics.ts'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { declaredMetrics, exportedNames } from './exported-metrics.ts'
import { readPromql } from './promql.ts'
import { deployables, workers } from '@marketplace/tools/generate/chart-values.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/observability')
const duration = z.string().regex(/^\d+[smhd]$/)

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      interval: duration.optional(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: duration.optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string().min(10), runbook: z.string() }),
        }),
      ),
    }),
  ),
})

const Dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      description: z.string().min(1),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })).min(1),
    }),
  ),
})

const Scraped = z.object({ scrape_configs: z.array(z.object({ job_name: z.string() })) })

const rules = Rules.parse(parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8'))).groups.flatMap(
  (group) => group.rules,
)
const dashboards = globSync('dashboards/*.json', { cwd: folder }).map((file) => ({
  file,
  board: Dashboard.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
}))
const exprs = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboards.flatMap(({ file, board }) =>
    board.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${file}: ${title}`, expr }))),
  ),
]
const { scrape_configs: scraped } = Scraped.parse(parse(readFileSync(join(folder, 'prometheus.yaml'), 'utf8')))
const jobs = scraped.map(({ job_name: job }) => job)
const kebab = (name: string) => name.replaceAll(/(?<=.)([A-Z])/g, '-$1').toLowerCase()

describe('dashboards and alerts', () => {
  it('contain valid PromQL', () => {
    expect(exprs.flatMap(({ expr }) => readPromql(expr).errors)).toEqual([])
    expect(readPromql('sum by (job) (rate(x[5m])').errors).not.toEqual([])
  })

  it('use only metrics that a service exports', async () => {
    const exported = await exportedNames()
    const unknown = exprs.flatMap(({ where, expr }) =>
      readPromql(expr)
        .metrics.filter((name) => !exported.has(name))
        .map((name) => `${where} uses ${name}`),
    )
    expect(unknown).toEqual([])
    expect(exported.has('payments_sales_total')).toBe(false)
  })

  it('have unique names, ids and positions', () => {
    expect(dashboards.map(({ file }) => file).toSorted()).toEqual(
      ['auction-peak', 'events', 'money', 'overview'].map((name) => `dashboards/${name}.json`),
    )
    for (const { board } of dashboards) {
      const places = board.panels.map(({ gridPos: { x, y } }) => `${x}/${y}`)
      expect(new Set(places).size).toBe(places.length)
      expect(board.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
    }
  })
})

describe('alerts', () => {
  it('have one runbook each, and every runbook has its alert', () => {
    expect(rules.map(({ annotations }) => annotations.runbook)).toEqual(
      rules.map(({ alert }) => `docs/runbooks/${kebab(alert)}.md`),
    )
    const files = readdirSync(join(root, 'docs/runbooks')).filter((file) => file !== 'README.md')
    expect(files.toSorted()).toEqual(rules.map(({ alert }) => `${kebab(alert)}.md`).toSorted())
    for (const { alert, annotations } of rules) {
      const text = readFileSync(join(root, annotations.runbook), 'utf8')
      expect(text).toMatch(
        new RegExp(
          String.raw`^# ${alert}\n\n## Impact\n[\s\S]+\n## Diagnose\n[\s\S]+\n## Mitigate\n[\s\S]+\n## Resolved when\n`,
        ),
      )
      const links = [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, link = '']) => link)
      expect(links.filter((link) => !existsSync(join(root, 'docs/runbooks', link)))).toEqual([])
    }
  })
})

describe('InternalCallsFail', () => {
  it('counts faults and a wrong internal secret, but not rejected calls', () => {
    const expr = rules.find(({ alert }) => alert === 'InternalCallsFail')?.expr ?? ''
    const [, pattern = ''] = /code=~"([^"]+)"/.exec(expr) ?? []
    const isCounted = (code: string) => new RegExp(`^(${pattern})$`).test(code)
    const faults = ['Unavailable', 'DeadlineExceeded', 'Internal', 'Unknown', 'Unauthenticated']
    expect(faults.filter((code) => !isCounted(code))).toEqual([])
    const rejections = ['ok', 'InvalidArgument', 'NotFound', 'FailedPrecondition', 'ResourceExhausted']
    expect(rejections.filter(isCounted)).toEqual([])
  })
})

describe('SweepFails', () => {
  const [, hourly = ''] = (rules.find(({ alert }) => alert === 'SweepFails')?.expr ?? '').split(/\n\s*or /)
  // Each range of the second condition, in minutes before now.
  const ranges = [...hourly.matchAll(/\(sweep_failures_total\[(\d+)m\](?: offset (\d+)m)?\)\) > 0/g)].map(
    ([, length, offset = '0']) => ({ newest: Number(offset), oldest: Number(offset) + Number(length) }),
  )
  const isMet = (failures: readonly number[]) =>
    ranges.every(({ newest, oldest }) => failures.some((minutesAgo) => newest < minutesAgo && minutesAgo <= oldest))
  const minutes = Array.from({ length: 240 }, (_none, at) => at + 1)

  it('fires for a sweep of one pod that has failed hourly for three hours', () => {
    expect(ranges).toHaveLength(3)
    const hours = [0, 60, 120, 180]
    const newest = minutes.filter((minutesAgo) => minutesAgo <= 60)
    expect(newest.filter((latest) => !isMet(hours.map((hour) => latest + hour)))).toEqual([])
  })

  it('does not fire for hours after an outage of an hour, in which every run fails', () => {
    const isOfOutage = (end: number) => (minutesAgo: number) => end < minutesAgo && minutesAgo <= end + 60
    expect(minutes.filter((end) => isMet(minutes.filter(isOfOutage(end))))).toEqual([])
  })

  it('has a runbook with every sweep', () => {
    const files = globSync(['services/*/src/**/*.ts', 'packages/{bus,kit}/src/**/*.ts'], { cwd: root })
    const sources = files
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
    const sweeps = sources.flatMap((text) =>
      [...text.matchAll(/name: '([^']+)',\s*intervalMs\b/g)].map(([, name]) => name),
    )
    const runbook = readFileSync(join(root, 'docs/runbooks/sweep-fails.md'), 'utf8')
    expect(sweeps).toEqual(expect.arrayContaining(['close-due', 'idempotency keys', 'objects without a picture']))
    expect(sweeps.filter((name) => !runbook.includes(`\`${name}\``))).toEqual([])
  })
})

describe('InvariantsUnchecked', () => {
  it('also fires without an exporter, and not while a new one completes its first check', () => {
    const rule = rules.find(({ alert }) => alert === 'InvariantsUnchecked')
    const [stale, missing] = rule?.expr.split(/\n\s*or /) ?? []
    expect(stale).toBe('time() - max(invariant_last_check_timestamp_seconds) > 300')
    expect(missing?.trim()).toBe('absent(invariant_last_check_timestamp_seconds)')
    expect(rule?.for).toBe('10m')
  })
})

describe('EventBusUnreachable', () => {
  it('fires for one pod that is cut off, for which OutboxStuck is silent, because another pod publishes', () => {
    const rule = rules.find(({ alert }) => alert === 'EventBusUnreachable')
    expect(rule?.expr).toBe('max by (job, instance) (event_bus_unreachable_seconds) > 60')
    expect(rule?.for).toBe('1m')
    expect(rules.find(({ alert }) => alert === 'OutboxStuck')?.expr).toMatch(/^max by \(job\)/)
  })
})

describe('AssistantBudgetUsedUp', () => {
  it('counts an outcome that messaging exports', () => {
    const expr = rules.find(({ alert }) => alert === 'AssistantBudgetUsedUp')?.expr ?? ''
    const [, outcome = ''] = /outcome="([^"]+)"/.exec(expr) ?? []
    const source = readFileSync(join(root, 'services/messaging/src/chat/call-budget.ts'), 'utf8')
    expect(source).toContain(`calls.inc({ outcome: '${outcome}' })`)
  })
})

describe('ConsumerStuck', () => {
  it('compares the unread events of each topic with what its publisher sends', () => {
    const expr = rules.find(({ alert }) => alert === 'ConsumerStuck')?.expr ?? ''
    const [, pattern = ''] = /"publisher", "\$1", "topic", "([^"]+)"/.exec(expr) ?? []
    // Prometheus anchors the pattern. The name of a service is the label `job` of its metrics.
    const publishers = Object.values(topics).map((topic) => topic.replace(new RegExp(`^${pattern}$`), '$1'))
    expect(publishers).toEqual(Object.keys(topics))
    expect(jobs).toEqual(expect.arrayContaining(publishers))
  })
})

describe('the example of a Prometheus', () => {
  it('scrapes every service, every worker and the exporter of the invariants', () => {
    const workerNames = workers.map(({ alias }): string => alias)
    expect(jobs.toSorted()).toEqual([...deployables, ...workerNames, 'invariants'].toSorted())
  })
})

describe('metrics', () => {
  it('have a help text, a unit suffix, and `_total` for counters', () => {
    const units =
      /_(seconds|bytes|events|requests|connections|auctions|listings|sales|refunds|disputes|bids|streams|remaining|objects|violations|failures|readings|owed)(_total)?$/
    const violations = declaredMetrics().filter(
      ({ name, kind, help }) =>
        !/^[a-z][a-z_]+$/.test(name) ||
        !(units.test(name) || (kind === 'counter' && name.endsWith('_total'))) ||
        (kind === 'counter') !== name.endsWith('_total') ||
        !/^[A-Z].*\.$/.test(help),
    )
    expect(violations).toEqual([])
    const names = declaredMetrics().map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
