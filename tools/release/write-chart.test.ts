import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root, run } from '../run/run.ts'
import { writeCharts } from './write-chart.ts'

const folder = mkdtempSync(join(tmpdir(), 'marketplace-chart-'))
afterAll(() => rmSync(folder, { recursive: true }))

const digest = `sha256:${'a1'.repeat(32)}`
const readYaml = (...path: string[]) => parse(readFileSync(join(...path), 'utf8'))

describe('the chart of a release', () => {
  it('has the service’s name, the build in its version, its values and its image by digest', async () => {
    const release = { service: 'messaging', build: 57, registry: 'registry.example/shop', tag: 'abc', digest } as const
    expect(await writeCharts(release, folder)).toBe('0.1.57')
    const target = join(folder, 'messaging')
    const { name, version, appVersion, kubeVersion } = readYaml(target, 'Chart.yaml')
    expect([name, version, appVersion]).toEqual(['messaging', '0.1.57', 'abc'])
    expect(kubeVersion).toBe(readYaml(root, 'deploy/helm/service/Chart.yaml').kubeVersion)

    const values = readYaml(target, 'values.yaml')
    const generic = readYaml(root, 'deploy/helm/service/values.yaml')
    const own = readYaml(root, 'services/messaging/deploy/values.yaml')
    expect(values.image).toEqual({ ...generic.image, repository: 'marketplace/messaging', tag: 'abc', digest })
    expect(values.global).toEqual({
      ...generic.global,
      image: { ...generic.global.image, registry: 'registry.example/shop' },
    })
    expect(values.settings).toEqual(own.settings)
    expect(values.network).toEqual({ ...generic.network, ...own.network })
    expect(values.resources).toEqual(generic.resources)
    expect(readYaml(target, 'values-production.yaml').secrets).toHaveProperty('OPENAI_API_KEY')
  })

  it('has a second one beside it for each worker, with the image of the service', async () => {
    const target = join(folder, 'with-worker')
    const release = { service: 'catalog', build: 57, registry: 'registry.example/shop', tag: 'abc', digest } as const
    await writeCharts(release, target)
    expect(readdirSync(target).toSorted()).toEqual(['catalog', 'catalog-pictures'])
    const { name, version, appVersion } = readYaml(target, 'catalog-pictures/Chart.yaml')
    expect([name, version, appVersion]).toEqual(['catalog-pictures', '0.1.57', 'abc'])
    const { service, image, command } = readYaml(target, 'catalog-pictures/values.yaml')
    expect(image).toMatchObject({ repository: 'marketplace/catalog', tag: 'abc', digest })
    expect([service, command]).toEqual(['catalog-pictures', ['/usr/bin/node', 'src/pictures.main.ts']])
  })

  it.each([
    ['without a digest', ['--tag', 'abc', '--digest', 'latest']],
    ['without a tag', ['--digest', digest]],
  ])('is not written %s', async (_what, more) => {
    const target = join(folder, 'wrong')
    const given = ['--service', 'auction', '--build', '1', '--registry', 'registry.example', '--target', target]
    const { code, output } = await run('node', ['tools/release/release-chart.ts', ...given, ...more])
    expect(code).toBe(1)
    expect(output).toContain(more[0] === '--tag' ? 'digest' : 'tag')
  })

  it('is written by the command, which prints the version', async () => {
    const given = ['--service', 'web', '--build', '3', '--registry', 'registry.example', '--tag', 'abc']
    const written = await run('node', [
      'tools/release/release-chart.ts',
      ...given,
      '--digest',
      digest,
      '--target',
      folder,
    ])
    expect(written).toEqual({ code: 0, output: '0.1.3\n' })
    expect(readYaml(folder, 'web/values.yaml').image).toMatchObject({ repository: 'marketplace/web', digest })
  })
})
