import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { byKind, containersOf, set, shared } from './rendered.ts'
import { render, type Manifest } from './tools.ts'
import { run, type Finished } from '@marketplace/tools/run/run.ts'

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

/** Runs release.sh where every deployment belongs to this Helm release, or each to one of its own. */
async function release(service: string, owner: string): Promise<Finished> {
  await writeFile(calls, '')
  const path = [folder, process.env['PATH']].join(delimiter)
  const settings = [`PATH=${path}`, `OWNER=${owner}`, `CALLS=${calls}`, 'ALLOW_FAILED_NIGHTLY=true']
  return run('env', [...settings, 'deploy/release.sh', service, 'two'])
}

/** Runs release.sh, which must succeed, and returns the arguments of each call of Helm. */
async function callsOfRelease(service: string, owner: string): Promise<string[][]> {
  const { code, output } = await release(service, owner)
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

/** Renders what a call of Helm installs where an earlier release has set a digest. */
function renderOwn(values: string, call: readonly string[]): Promise<Manifest[]> {
  return render('service', ['-f', values, ...shared, ...set(`image.digest=${digest}`), ...valuesOf(call)])
}

describe('release.sh', () => {
  it('replaces the digests of an earlier release of the umbrella chart', async () => {
    const [call = [], ...more] = await callsOfRelease('catalog', 'marketplace')
    expect(call.slice(0, 3)).toEqual(['upgrade', 'marketplace', 'deploy/helm/marketplace'])
    expect(more).toEqual([])
    const earlier = set(`catalog.image.digest=${digest}`, `catalog-pictures.image.digest=${digest}`)
    const before = await render('marketplace', [...shared, ...earlier])
    expect(imagesOf(before, 'catalog')).toEqual([`marketplace/catalog@${digest}`])
    const after = await render('marketplace', [...shared, ...earlier, ...valuesOf(call)])
    expect(imagesOf(after, 'catalog')).toEqual(['marketplace/catalog:two'])
    expect(imagesOf(after, 'catalog-pictures')).toEqual(['marketplace/catalog:two'])
    expect(imagesOf(after, 'auction')).toEqual(['marketplace/auction:abc'])
  })

  it('replaces the digest of an earlier release of a service with a Helm release of its own', async () => {
    const [call = [], ...more] = await callsOfRelease('auction', 'itself')
    expect(call.slice(0, 4)).toEqual(['upgrade', '--install', 'auction', 'deploy/helm/service'])
    expect(more).toEqual([])
    const rendered = await renderOwn('services/auction/deploy/values.yaml', call)
    expect(imagesOf(rendered, 'auction')).toEqual(['marketplace/auction:two'])
  })

  it('releases the picture worker after catalog when each has a Helm release of its own', async () => {
    const [first = [], second = []] = await callsOfRelease('catalog', 'itself')
    expect(first.slice(0, 4)).toEqual(['upgrade', '--install', 'catalog', 'deploy/helm/service'])
    expect(second.slice(0, 3)).toEqual(['upgrade', 'catalog-pictures', 'deploy/helm/service'])
    const values = second[second.indexOf('-f') + 1] ?? ''
    expect(imagesOf(await renderOwn(values, second), 'catalog-pictures')).toEqual(['marketplace/catalog:two'])
  })

  it('releases nothing when catalog has a Helm release of its own and the picture worker has none', async () => {
    const { code, output } = await release('catalog', 'catalog')
    expect(output).toContain('catalog-pictures needs a Helm release of its own')
    expect(code).toBe(1)
    expect(await readFile(calls, 'utf8')).toBe('')
  })
})
