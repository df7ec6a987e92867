// `node tools/release/release-chart.ts --service catalog --build 57 --registry registry.example/shop --tag … --digest
// sha256:… --target folder` writes the charts of one release below the folder and prints their version.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { deployables } from '../generate/chart-values.ts'
import { writeCharts } from './write-chart.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { service: text, build: text, registry: text, tag: text, digest: text, target: text },
})

const Arguments = z.object({
  service: z.enum(deployables),
  build: z.coerce.number().int().positive(),
  registry: z.string().min(1),
  tag: z.string().min(1),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  target: z.string().min(1),
})

const { target, ...release } = Arguments.parse(values)
process.stdout.write(`${await writeCharts(release, target)}\n`)
