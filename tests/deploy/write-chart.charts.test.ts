import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { own, set, shared } from './rendered.ts'
import { helm, render, renderFolder } from './tools.ts'
import { deployables, workerFile, workers, type Deployable } from '@marketplace/tools/generate/chart-values.ts'
import { writeCharts } from '@marketplace/tools/release/write-chart.ts'

const digest = `sha256:${'a1'.repeat(32)}`
const registry = 'registry.example/shop'
const released = set(`image.digest=${digest}`, `global.image.registry=${registry}`)

/** Writes the charts of a release of the service in a temporary folder while `use` runs. */
async function withCharts(service: Deployable, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-chart-'))
  try {
    await writeCharts({ service, build: 57, registry, tag: 'abc', digest }, folder)
    await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

it.each(deployables)('the chart of a release of %s renders what the generic one does with its values', async (name) => {
  await withCharts(name, async (folder) => {
    const chart = join(folder, name)
    const rendered = await renderFolder(chart, shared)
    expect(rendered).toEqual(await own(name, released))
    expect(JSON.stringify(rendered)).toContain(`registry.example/shop/marketplace/${name}@${digest}`)
    expect(await helm(['lint', chart, ...shared])).toMatchObject({ code: 0 })
  })
})

it.each(workers)('a release of $of has a chart that renders $alias with the same image', async (worker) => {
  await withCharts(worker.of, async (folder) => {
    const chart = join(folder, worker.alias)
    const rendered = await renderFolder(chart, shared)
    expect(rendered).toEqual(await render('service', ['-f', workerFile(worker, 'values'), ...shared, ...released]))
    expect(JSON.stringify(rendered)).toContain(`registry.example/shop/marketplace/${worker.of}@${digest}`)
    expect(await helm(['lint', chart, ...shared])).toMatchObject({ code: 0 })
  })
})
