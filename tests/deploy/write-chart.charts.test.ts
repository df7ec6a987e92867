import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { own, set, shared } from './rendered.ts'
import { helm, renderFolder } from './tools.ts'
import { deployables } from '@marketplace/tools/generate/chart-values.ts'
import { writeChart } from '@marketplace/tools/release/write-chart.ts'

const digest = `sha256:${'a1'.repeat(32)}`

it.each(deployables)('the chart of a release of %s renders what the generic one does with its values', async (name) => {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-chart-'))
  try {
    const registry = 'registry.example/shop'
    await writeChart({ service: name, build: 57, registry, tag: 'abc', digest }, folder)
    const rendered = await renderFolder(folder, shared)
    expect(rendered).toEqual(await own(name, set(`image.digest=${digest}`, `global.image.registry=${registry}`)))
    expect(JSON.stringify(rendered)).toContain(`registry.example/shop/marketplace/${name}@${digest}`)
    expect(await helm(['lint', folder, ...shared])).toMatchObject({ code: 0 })
  } finally {
    await rm(folder, { recursive: true })
  }
})
