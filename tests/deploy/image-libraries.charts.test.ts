import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run } from '@marketplace/tools/run/run.ts'

let image: string

beforeAll(async () => {
  image = await mkdtemp(join(tmpdir(), 'image-'))
  const { code, output } = await run('node', ['deploy/images/assemble.mjs', 'services/catalog', image])
  if (code !== 0) throw new Error(output)
})
afterAll(() => rm(image, { recursive: true, force: true }))

// This test fails without `loadNativeModules` in deploy/images/assemble.mjs: the picture worker does not start.
it('the image of catalog contains the system libraries that its native modules are linked to', async () => {
  const libraries = join(image, 'libraries')
  const files = (await readdir(libraries, { recursive: true })).filter((file) => /\.(node|so[.\d]*)$/.test(file))
  expect(files.some((file) => file.includes('sharp'))).toBe(true)
  for (const file of files) {
    const { output } = await run('ldd', [join(libraries, file)])
    const linked = [...output.matchAll(/(?:=> |^\s+)(\/\S+)/gm)].map(([, path = '']) => path)
    const missing = linked.filter((path) => !path.startsWith(image) && !existsSync(join(image, 'runtime', path)))
    expect({ file, missing }).toEqual({ file, missing: [] })
    expect(output).not.toContain('not found')
  }
})
