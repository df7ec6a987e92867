import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '@marketplace/kit/telemetry/metrics.ts'

export interface ExportedMetric {
  name: string
  kind: string
  help: string
}

const root = join(import.meta.dirname, '../..')
const sources = ['packages/kit/src/**/*.ts', 'services/*/src/**/*.ts', 'ops/invariants/*.ts']
const declaration = /\b(counter|gauge|histogram)\(\s*'([^']+)',\s*'([^']+)'/g

/** Returns every metric that the sources declare with kit's three functions. */
export function declaredMetrics(): ExportedMetric[] {
  const files = globSync(sources, { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(declaration)].map(([, kind = '', name = '', help = '']) => ({ name, kind, help }))
  })
}

/** Returns the metric names in Prometheus, including those of every Node process and Prometheus' own. */
export async function exportedNames(): Promise<Set<string>> {
  const declared = declaredMetrics().flatMap(({ name, kind }) => (kind === 'histogram' ? histogramOf(name) : [name]))
  const brought = (await registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
    String(type) === 'histogram' ? histogramOf(name) : [name],
  )
  return new Set([...declared, ...brought, 'up'])
}

function histogramOf(name: string): string[] {
  return [`${name}_bucket`, `${name}_sum`, `${name}_count`]
}
