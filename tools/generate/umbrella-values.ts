// Part of `npm run generate`: merges the services' values, and the production values of the ops chart, into the umbrella
// chart's.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root } from '../run/run.ts'
import { deployables, valuesFile, workerFile, workers } from './chart-values.ts'

const header =
  '# Made by `npm run generate` from the deploy folders of the services and web, and from helm/ops; edit those.\n'

for (const kind of ['values', 'values-production'] as const) {
  const files = [
    ...deployables.map((name) => [name, valuesFile(name, kind)] as const),
    ...workers.map((worker) => [worker.alias, workerFile(worker, kind)] as const),
    // Helm itself merges the default values of this chart.
    ...(kind === 'values-production' ? [['ops', join(root, 'deploy/helm/ops/values-production.yaml')] as const] : []),
  ]
  const parts = await Promise.all(
    files.map(async ([name, file]) => [name, parse(await readFile(file, 'utf8'))] as const),
  )
  const text = stringify(Object.fromEntries(parts), { aliasDuplicateObjects: false, lineWidth: 120 })
  await writeFile(join(root, `deploy/helm/marketplace/${kind}.yaml`), header + text)
}
