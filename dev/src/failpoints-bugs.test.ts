import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bugs, plant, type Patch } from './failpoints-bugs.ts'

const root = join(import.meta.dirname, '../..')

describe('bugs to plant', () => {
  it.each(Object.entries<readonly Patch[]>(bugs))('finds the source text that “%s” changes', async (_name, patches) => {
    for (const patch of patches) {
      const source = await readFile(join(root, patch.file), 'utf8')
      expect(plant(source, patch)).not.toBe(source)
    }
  })

  it('refuses a text that is not there', () => {
    expect(() => plant('const a = 1', { file: 'a.ts', from: 'const b', to: '' })).toThrow('a.ts does not have once')
  })
})
