import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { valuesFile, workerFile, workers, type Deployable } from '../generate/chart-values.ts'
import { root } from '../run/run.ts'

export interface ChartRelease {
  service: Deployable
  /** The number of the service's release. */
  build: number
  registry: string
  tag: string
  digest: string
}

/** A deployment of a service's image. */
interface Part {
  name: string
  values: string
  productionValues: string
}

type Values = Record<string, unknown>

const Chart = z.looseObject({ version: z.string().regex(/^\d+\.\d+\.\d+$/) })
const Values = z.record(z.string(), z.unknown())

const genericChart = join(root, 'deploy/helm/service')

/**
 * Writes the charts of one release below `target`, each in a folder of its name: one for the service and one for each
 * of its workers. Each is the generic chart with the part's values and the image by digest. Returns their version.
 */
export async function writeCharts(release: ChartRelease, target: string): Promise<string> {
  const chart = Chart.parse(await readYaml(join(genericChart, 'Chart.yaml')))
  const version = chart.version.replace(/\d+$/, String(release.build))
  for (const { name, values, productionValues } of partsOf(release.service)) {
    const folder = join(target, name)
    await cp(genericChart, folder, { recursive: true })
    const description = `The ${name} of the marketplace.`
    await writeYaml(join(folder, 'Chart.yaml'), { ...chart, name, description, version, appVersion: release.tag })
    await writeYaml(join(folder, 'values.yaml'), await releasedValues(values, release))
    await cp(productionValues, join(folder, 'values-production.yaml'))
  }
  return version
}

function partsOf(service: Deployable): Part[] {
  const workersOfService = workers.filter(({ of }) => of === service)
  return [
    {
      name: service,
      values: valuesFile(service, 'values'),
      productionValues: valuesFile(service, 'values-production'),
    },
    ...workersOfService.map((worker) => ({
      name: worker.alias,
      values: workerFile(worker, 'values'),
      productionValues: workerFile(worker, 'values-production'),
    })),
  ]
}

async function releasedValues(file: string, { registry, tag, digest }: ChartRelease): Promise<Values> {
  const generic = Values.parse(await readYaml(join(genericChart, 'values.yaml')))
  const own = Values.parse(await readYaml(file))
  const image = { image: { tag, digest }, global: { image: { registry } } }
  return overlay(overlay(generic, own), image)
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
