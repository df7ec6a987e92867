import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { folderOf, valuesFile, type Deployable } from '../generate/chart-values.ts'
import { root } from '../run/run.ts'

export interface ChartRelease {
  service: Deployable
  /** The number of the service's release. */
  build: number
  registry: string
  tag: string
  digest: string
}

type Values = Record<string, unknown>

const Chart = z.looseObject({ version: z.string().regex(/^\d+\.\d+\.\d+$/) })
const Values = z.record(z.string(), z.unknown())

/**
 * Writes the generic chart as the chart of one release, with the service's values and the image by digest. Returns the
 * chart's version.
 */
export async function writeChart(release: ChartRelease, target: string): Promise<string> {
  const { service, build, registry, tag, digest } = release
  await cp(join(root, 'deploy/helm/service'), target, { recursive: true })
  const chart = Chart.parse(await readYaml(join(target, 'Chart.yaml')))
  const version = chart.version.replace(/\d+$/, String(build))
  const description = `The ${service} of the marketplace.`
  await writeYaml(join(target, 'Chart.yaml'), { ...chart, name: service, description, version, appVersion: tag })
  const generic = Values.parse(await readYaml(join(target, 'values.yaml')))
  const own = Values.parse(await readYaml(valuesFile(service, 'values')))
  const image = { image: { tag, digest }, global: { image: { registry } } }
  await writeYaml(join(target, 'values.yaml'), overlay(overlay(generic, own), image))
  await cp(join(root, folderOf(service), 'deploy/values-production.yaml'), join(target, 'values-production.yaml'))
  return version
}

/** Merges values as Helm does: maps are merged, other values replaced. */
function overlay(below: Values, above: Values): Values {
  const merged = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const lower = below[key]
    merged[key] = isMap(lower) && isMap(value) ? overlay(lower, value) : value
  }
  return merged
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function readYaml(file: string): Promise<unknown> {
  return parse(await readFile(file, 'utf8'))
}

function writeYaml(file: string, content: object): Promise<void> {
  return writeFile(file, stringify(content, { aliasDuplicateObjects: false }))
}
