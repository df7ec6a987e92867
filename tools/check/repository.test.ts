import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { deployables, folderOf, type Deployable } from '../generate/chart-values.ts'
import { root } from '../run/run.ts'
import { listTrackedFiles } from './tracked-files.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const workflowFiles = globSync('.github/workflows/*.yml', { cwd: root }).toSorted()

const Manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()).default({}) })

/** Returns the folders of the workspaces in an image: the given one first, then the packages it depends on. */
function workspacesOf(folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found
  found.add(folder)
  const { dependencies } = Manifest.parse(JSON.parse(read(`${folder}/package.json`)))
  for (const name of Object.keys(dependencies))
    if (name.startsWith('@marketplace/')) workspacesOf(name.replace('@marketplace/', 'packages/'), found)
  return found
}

describe('the images', () => {
  it.each(deployables)('K10 contain of %s only production code', (name) => {
    const [, ...packages] = workspacesOf(folderOf(name))
    expect(packages.filter((folder) => !/^packages\/(kit|contracts|bus)$/.test(folder))).toEqual([])
  })
})

const Release = z.object({
  on: z.object({ push: z.object({ paths: z.array(z.string()) }) }),
  jobs: z.object({ release: z.looseObject({ uses: z.string(), with: z.object({ service: z.string() }) }) }),
})

const readRelease = (name: Deployable) => Release.parse(parse(read(`.github/workflows/release-${name}.yml`)))

describe('the workflows', () => {
  it('are one for CI, one for each release and a shared one for releases', () => {
    const releases = [...deployables, 'service'].map((name) => `.github/workflows/release-${name}.yml`)
    expect(workflowFiles).toEqual(['.github/workflows/ci.yml', ...releases].toSorted())
    expect(read('.github/workflows/ci.yml')).toMatch(/- run: bash \.ci\/run\n/)
  })

  it.each(deployables)('release %s only when one of its sources changes', (name) => {
    const { on, jobs } = readRelease(name)
    const [self = '', ...packages] = workspacesOf(folderOf(name))
    expect(on.push.paths).toEqual([
      ...[self, ...packages.toSorted(), 'deploy/helm/service', 'deploy/images', 'tools/release'].map(
        (folder) => `${folder}/**`,
      ),
      'package-lock.json',
      `.github/workflows/release-${name}.yml`,
      '.github/workflows/release-service.yml',
      '!**/README.md',
      '!**/*.test.*',
    ])
    expect(jobs.release).toMatchObject({ uses: './.github/workflows/release-service.yml', with: { service: name } })
  })

  it('grant a release the permissions of its job', () => {
    const shared = z.object({ jobs: z.object({ release: z.looseObject({ permissions: z.unknown() }) }) })
    const { permissions } = shared.parse(parse(read('.github/workflows/release-service.yml'))).jobs.release
    for (const name of deployables) expect(readRelease(name).jobs.release).toMatchObject({ permissions })
  })

  it('pin third-party actions to a commit', () => {
    const used = workflowFiles.flatMap((file) => read(file).match(/uses: .*/g) ?? [])
    const others = used.filter((line) => !line.startsWith('uses: ./'))
    expect(others.length).toBeGreaterThan(5)
    expect(others.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })
})

describe('CODEOWNERS', () => {
  const entries = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((line) => line.split(/ +/))

  it('has owners for every top-level folder, every service and its release', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
    const folders = new Set(tracked.filter((file) => file.includes('/')).map((file) => `/${file.split('/')[0]}/`))
    folders.delete('/services/')
    const needed = [
      ...folders,
      ...deployables.map((name) => `/${folderOf(name)}/`),
      ...deployables.map((name) => `/.github/workflows/release-${name}.yml`),
    ]
    const paths = new Set(entries.map(([path]) => path))
    expect(needed.filter((path) => !paths.has(path))).toEqual([])
  })

  it('lists existing paths only, each with an owner', () => {
    expect(entries.filter(([path = '', ...owners]) => !existsSync(join(root, path)) || owners.length === 0)).toEqual([])
  })
})

describe('tool settings', () => {
  it('exclude from Renovate the packages whose newer versions lack a platform', () => {
    const { packageRules } = z
      .object({
        packageRules: z.array(
          z.looseObject({ enabled: z.boolean().optional(), matchPackageNames: z.array(z.string()).default([]) }),
        ),
      })
      .parse(JSON.parse(read('renovate.json')))
    const left = packageRules.filter(({ enabled }) => enabled === false).flatMap((rule) => rule.matchPackageNames)
    const pins = z
      .object({
        devDependencies: z.record(z.string(), z.string()),
        optionalDependencies: z.record(z.string(), z.string()),
      })
      .parse(JSON.parse(read('package.json')))
    const versions = { ...pins.devDependencies, ...pins.optionalDependencies }
    const lagging = ['@bufbuild/buf', '@swc/core', 'knip', 'oxfmt', 'oxlint', 'oxlint-tsgolint']
    expect(left.toSorted()).toEqual([...lagging, ...Object.keys(pins.optionalDependencies), 'node'].toSorted())
    expect(left.filter((name) => name !== 'node' && !/^\d+\.\d+\.\d+$/.test(versions[name] ?? ''))).toEqual([])
  })

  it('use the formatter’s line length in editors', () => {
    const { printWidth } = z.object({ printWidth: z.number() }).parse(JSON.parse(read('.oxfmtrc.json')))
    expect(read('.editorconfig')).toContain(`max_line_length = ${printWidth}\n`)
  })
})

// A file URL encodes spaces and letters beyond ASCII, so that its pathname is no path where a folder's name has them.
const encodedPath = /import\.meta\.(?:url|resolve)\b.*(?:\.pathname\b|'file:\/\/')/
const endings = ['.url).pathname', ".resolve('x')).pathname", ".resolve('x').replace('file://', '')"]

describe('the paths of files', () => {
  it.each(endings)('are recognized as encoded when they end in %s', (ending) => {
    expect(`new URL('x', import.meta${ending}`).toMatch(encodedPath)
  })

  it('are not encoded, so that the name of the clone’s folder may contain a space', () => {
    const sources = listTrackedFiles().filter((file) => /\.(?:tsx?|mjs)$/.test(file))
    expect(sources.filter((file) => encodedPath.test(read(file)))).toEqual([])
  })
})
