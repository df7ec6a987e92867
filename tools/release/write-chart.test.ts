import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root, run } from '../run/run.ts'
import { writeChart } from './write-chart.ts'

const folder = mkdtempSync(join(tmpdir(), 'marketplace-chart-'))
afterAll(() => rmSync(folder, { recursive: true }))

const digest = `sha256:${'a1'.repeat(32)}`
const readYaml = (...path: string[]) => parse(readFileSync(join(...path), 'utf8'))

describe('the chart of a release', () => {
  it('has the service’s name, the build in its version, its values and its image by digest', async () => {
    const target = join(folder, 'messaging')
    const release = { service: 'messaging', build: 57, registry: 'registry.example/shop', tag: 'abc', digest } as const
    expect(await writeChart(release, target)).toBe('0.1.57')
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
    const target = join(folder, 'web')
    const written = await run('node', [
      'tools/release/release-chart.ts',
      ...given,
      '--digest',
      digest,
      '--target',
      target,
    ])
    expect(written).toEqual({ code: 0, output: '0.1.3\n' })
    expect(readYaml(target, 'values.yaml').image).toMatchObject({ repository: 'marketplace/web', digest })
  })
})
