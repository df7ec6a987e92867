import { describe, expect, it } from 'vitest'
import { createPathLookup, findBrokenPaths } from './links.ts'

const exists = createPathLookup(['README.md', 'docs/adr/0001-x.md', 'docs/operations.md', 'services/users/src/main.ts'])
const broken = (file: string, text: string) => findBrokenPaths(file, text, exists)

describe('links', () => {
  it('lead from a file to another, with or without an anchor', () => {
    expect(
      broken('docs/operations.md', '[a](adr/0001-x.md) [b](../README.md#start) [c](https://x.org) [d](#e)'),
    ).toEqual([])
  })

  it('fail when the file does not exist', () => {
    expect(broken('docs/operations.md', '[a](adr/0002-y.md)')).toEqual([
      'docs/operations.md: the link to adr/0002-y.md leads nowhere.',
    ])
  })
})

describe('paths in backticks', () => {
  it('exist from the root or from the folder of the file', () => {
    expect(broken('services/users/README.md', '`src/main.ts` `services/users/` `docs/adr`')).toEqual([])
  })

  it.each(['services/users/src/gone.ts', 'docs/gone/'])('fail when %s does not exist', (path) => {
    expect(broken('README.md', `see \`${path}\``)).toHaveLength(1)
  })

  it('are left alone when they are no paths of the repository', () => {
    expect(broken('README.md', '`text/plain` `services/<name>/x` `services/*/x` `@fastify/cors` `web/dist/a`')).toEqual(
      [],
    )
  })

  it('may name former files in decision records', () => {
    expect(broken('docs/adr/0001-x.md', '`services/users/src/gone.ts`')).toEqual([])
  })
})
