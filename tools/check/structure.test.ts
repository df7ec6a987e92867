import { describe, expect, it } from 'vitest'
import { findLengthViolation, findStructureViolations } from './structure.ts'

const files = (count: number) => Array.from({ length: count }, (_, index) => `web/src/ui/part-${index}.tsx`)

describe('the structure', () => {
  it('allows 15 source files in a folder', () => {
    expect(findStructureViolations(files(15))).toEqual([])
  })

  it('rejects a sixteenth', () => {
    expect(findStructureViolations(files(16))).toEqual(['web/src/ui has 16 source files; the limit is 15.'])
  })

  it('does not count tests, styles of a component, generated and nested files', () => {
    const others = ['a.test.ts', 'a.spec.ts', 'a.conformance.ts', 'A.module.css', 'a.md', 'gen/a.ts', 'inputs/A.tsx']
    expect(findStructureViolations([...files(15), ...others.map((name) => `web/src/ui/${name}`)])).toEqual([])
  })

  it.each(['web/src/utils/format.ts', 'web/src/ui/index.ts'])('rejects %s', (path) => {
    expect(findStructureViolations([path])).toHaveLength(1)
  })
})

describe('the length of documents', () => {
  it.each([
    ['README.md', 80],
    ['tools/README.md', 40],
    ['docs/adr/0001-x.md', 40],
  ])('limits %s to %i lines', (path, limit) => {
    expect(findLengthViolation(path, 'line\n'.repeat(limit))).toBeUndefined()
    expect(findLengthViolation(path, 'line\n'.repeat(limit + 1))).toBeDefined()
  })

  it('does not limit other documents', () => {
    expect(findLengthViolation('services/catalog/README.md', 'line\n'.repeat(200))).toBeUndefined()
  })
})
