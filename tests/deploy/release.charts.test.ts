import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { byKind, containersOf, set, shared } from './rendered.ts'
import { render, type Manifest } from './tools.ts'
import { run } from '@marketplace/tools/run/run.ts'

const folder = await mkdtemp(join(tmpdir(), 'marketplace-release-'))
afterAll(() => rm(folder, { recursive: true }))

// Programs in place of a cluster: `kubectl` prints the Helm release of a deployment, `helm` records its arguments.
const calls = join(folder, 'calls')
const programs = {
  kubectl: '[ "$OWNER" = itself ] && echo "$5" || echo "$OWNER"',
  helm: 'printf "%s\\n" "$@" "" >>"$CALLS"',
}
for (const [name, script] of Object.entries(programs))
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

/** Runs release.sh where a deployment belongs to this Helm release. Returns the arguments of each call of Helm. */
async function release(service: string, owner: string): Promise<string[][]> {
  await writeFile(calls, '')
  const path = [folder, process.env['PATH']].join(delimiter)
  const settings = [`PATH=${path}`, `OWNER=${owner}`, `CALLS=${calls}`, 'ALLOW_FAILED_NIGHTLY=true']
  const { code, output } = await run('env', [...settings, 'deploy/release.sh', service, 'two'])
  expect(output).toContain(`released ${service} two`)
  expect(code).toBe(0)
  const text = await readFile(calls, 'utf8')
  return text
    .trim()
    .split('\n\n')
    .map((call) => call.split('\n'))
}

const digest = `sha256:${'a1'.repeat(32)}`
const valuesOf = (call: readonly string[]): string[] =>
  call.flatMap((flag, at) => (flag.startsWith('--set') ? [flag, call[at + 1] ?? ''] : []))

/** Returns the images of a deployment, without repetitions. */
function imagesOf(manifests: readonly Manifest[], name: string): string[] {
  const deployments = byKind(manifests, 'Deployment').filter(({ metadata }) => metadata.name === name)
  return [...new Set(containersOf(deployments).map(({ image }): string => image))]
}

describe('release.sh', () => {
  it('replaces the digests of an earlier release of the umbrella chart', async () => {
    const [call = []] = await release('catalog', 'marketplace')
    expect(call.slice(0, 3)).toEqual(['upgrade', 'marketplace', 'deploy/helm/marketplace'])
    const earlier = set(`catalog.image.digest=${digest}`, `catalog-pictures.image.digest=${digest}`)
    const before = await render('marketplace', [...shared, ...earlier])
    expect(imagesOf(before, 'catalog')).toEqual([`marketplace/catalog@${digest}`])
    const after = await render('marketplace', [...shared, ...earlier, ...valuesOf(call)])
    expect(imagesOf(after, 'catalog')).toEqual(['marketplace/catalog:two'])
    expect(imagesOf(after, 'catalog-pictures')).toEqual(['marketplace/catalog:two'])
    expect(imagesOf(after, 'auction')).toEqual(['marketplace/auction:abc'])
  })

  it('replaces the digest of an earlier release of a service with a Helm release of its own', async () => {
    const [call = []] = await release('auction', 'itself')
    expect(call.slice(0, 4)).toEqual(['upgrade', '--install', 'auction', 'deploy/helm/service'])
    const values = ['-f', 'services/auction/deploy/values.yaml', ...shared, ...set(`image.digest=${digest}`)]
    expect(imagesOf(await render('service', [...values, ...valuesOf(call)]), 'auction')).toEqual([
      'marketplace/auction:two',
    ])
  })
})
