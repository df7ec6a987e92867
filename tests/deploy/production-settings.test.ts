import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { productionSettings } from '@marketplace/stack/launcher/topology.ts'
import { root } from '@marketplace/tools/run/run.ts'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const Values = z.record(z.string(), z.looseObject({ settings: z.record(z.string(), z.coerce.string()).optional() }))

it('the settings that journeys and load tests take for production are those of the chart', () => {
  const text = readFileSync(join(root, 'deploy/helm/marketplace/values-production.yaml'), 'utf8')
  const settings = Object.entries(Values.parse(parse(text))).flatMap(([name, values]) =>
    values.settings ? [[name, values.settings]] : [],
  )
  expect(Object.fromEntries(settings)).toEqual(productionSettings)
})
