import { join } from 'node:path'
import { schemas } from '@marketplace/contracts/services.ts'
import { clusterHome } from '../deploy/tools.ts'
import { deployables, folderOf } from '@marketplace/tools/generate/chart-values.ts'
import { openArchive } from './support/archive.ts'
import { expect, test } from '@playwright/test'

const mebibyte = 1024 * 1024
// Switches and data that exist only for tests and demos.
const testSwitches = /failpoint|FAULTS_PORT|SEED_DEMO|TEST_[A-Z]+_URL|from 'vitest'|@marketplace\/(?:dev|testing)/

const restoredSchemas = schemas.map((schema) => `services/${schema}`)
/** The folders of an image besides the packages that all have. */
const foldersOf: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(deployables.map((name) => [name, [folderOf(name), 'packages/bus']])),
  web: ['web'],
  // A restore creates the schemas with the migrations of the services.
  ops: ['ops', 'packages/bus', ...restoredSchemas],
}

for (const [name, folders] of Object.entries(foldersOf))
  test(`the image of ${name} contains what it needs and nothing else`, async () => {
    const { files, user, labels, entrypoint, environment, read } = await openArchive(
      join(clusterHome, 'images', `${name}.tar`),
    )
    const paths = files.map(({ path }) => path)
    const own = files.filter(({ path }) => path.startsWith('app/') && !path.includes('node_modules/'))
    const bytes = (some: typeof files) => some.reduce((sum, file) => sum + file.bytes, 0)

    expect(bytes(files)).toBeLessThan(200 * mebibyte)
    expect(bytes(own)).toBeLessThan(10 * mebibyte)
    expect([user, entrypoint]).toEqual(['65532:65532', ['/usr/bin/node']])
    expect(environment).toContain('NODE_ENV=production')
    expect(labels['org.opencontainers.image.revision']).toMatch(/^[0-9a-f]{40}$/)

    const parts = new Set(own.map(({ path }) => /^app\/((?:packages|services)\/[^/]+|[^/]+)/.exec(path)?.[1]))
    for (const outer of [undefined, 'packages', 'services']) parts.delete(outer)
    expect(parts).toEqual(new Set([...folders, 'packages/kit', 'packages/contracts']))

    const forbidden =
      /(^|\/)(sh|bash|busybox|npm|apt|curl)$|\.(test|fixture)\.tsx?$|\/testing\/|node_modules\/(vitest|typescript|vite|playwright|pg-native)\//
    expect(paths.filter((path) => forbidden.test(path))).toEqual([])
    // No file is setuid or setgid, and only /tmp is writable by others.
    expect(
      files.filter(
        ({ mode, path }) => /[sS]/.test(mode.slice(1)) || (mode[8] === 'w' && path !== 'tmp/' && !mode.startsWith('l')),
      ),
    ).toEqual([])

    const code = own.filter(({ path }) => /\.(ts|js|sql|json)$/.test(path) && !path.includes('/dist/'))
    const texts = await Promise.all(code.map(async ({ path }) => [path, await read(path)] as const))
    expect(texts.filter(([, text]) => testSwitches.test(text)).map(([path]) => path)).toEqual([])
  })
