import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { unpackOnce } from './bundled-chromium.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'unpacked-'))
})

it('unpacks into a folder that is complete as soon as it has its name', async () => {
  const folder = join(parent, 'cache/chromium')
  await unpackOnce(folder, async (draft) => {
    await writeFile(join(draft, 'half'), '1')
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
    await writeFile(join(draft, 'whole'), '2')
  })
  expect(await readdir(folder)).toEqual(['half', 'whole'])
  expect(await readdir(join(parent, 'cache'))).toEqual(['chromium'])
})

it('unpacks nothing when the folder is there', async () => {
  const folder = join(parent, 'chromium')
  const drafts: string[] = []
  const unpack = async (draft: string) => {
    drafts.push(draft)
    await writeFile(join(draft, 'file'), draft)
  }
  await unpackOnce(folder, unpack)
  await unpackOnce(folder, unpack)
  expect(drafts).toEqual([await readFile(join(folder, 'file'), 'utf8')])
})

it('leaves one complete folder when ten commands unpack at once', async () => {
  const folder = join(parent, 'chromium')
  const unpack = async (draft: string) => {
    await writeFile(join(draft, 'a'), draft)
    await writeFile(join(draft, 'b'), draft)
  }
  await Promise.all(Array.from({ length: 10 }, () => unpackOnce(folder, unpack)))
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe(await readFile(join(folder, 'b'), 'utf8'))
  expect(await readdir(parent)).toEqual(['chromium'])
})

it('leaves nothing behind when it fails, so that the next command tries again', async () => {
  const folder = join(parent, 'chromium')
  const failing = async (draft: string) => {
    await writeFile(join(draft, 'file'), '1')
    throw new Error('no space left')
  }
  await expect(unpackOnce(folder, failing)).rejects.toThrow('no space left')
  expect(await readdir(parent)).toEqual([])
  await unpackOnce(folder, (draft) => writeFile(join(draft, 'file'), '2'))
  expect(await readFile(join(folder, 'file'), 'utf8')).toBe('2')
})
