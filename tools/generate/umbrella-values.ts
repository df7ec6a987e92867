// Part of `npm run generate`: merges the services' values into the umbrella chart's.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root } from '../run/run.ts'
import { deployables, valuesFile } from './chart-values.ts'

const header = '# Made by `npm run generate` from the deploy folders of the services and web; edit those.\n'

for (const kind of ['values', 'values-production'] as const) {
  const parts = await Promise.all(
    deployables.map(async (name) => [name, parse(await readFile(valuesFile(name, kind), 'utf8'))] as const),
  )
  const text = stringify(Object.fromEntries(parts), { aliasDuplicateObjects: false, lineWidth: 120 })
  await writeFile(join(root, `deploy/helm/marketplace/${kind}.yaml`), header + text)
}
