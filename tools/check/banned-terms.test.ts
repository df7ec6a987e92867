import { describe, expect, it } from 'vitest'
import { countBannedTerms, findTermViolations } from './banned-terms.ts'
import { readBannedTerms } from './glossary-terms.ts'

const glossary = `# Glossary

## 1. Vocabulary

### Selling

Folders: \`services/payments\`, \`web\`.

| concept | term | replaces |
|---|---|---|
| wake-up | \`Signal\` | \`Bell\`, \`ring\`, \`sale/bell.ts\` |
| no step | \`idle\` | \`'rests'\`, "once quiet" |

## 2. Settings

| meaning | suffix | "never" |
`
const terms = readBannedTerms(glossary)
const count = (text: string, path = 'services/payments/src/sale/sale.ts') => countBannedTerms(terms, [{ path, text }])

describe('the glossary', () => {
  it('bans what the last column of the vocabulary names', () => {
    expect(terms.map(({ term, kind }) => [term, kind])).toEqual([
      ['Bell', 'identifier'],
      ['ring', 'identifier'],
      ['sale/bell.ts', 'file'],
      ['rests', 'literal'],
      ['once quiet', 'phrase'],
    ])
  })
})

describe('a banned name', () => {
  it.each([
    'export class Bell {}',
    'interface Bell { at: Date }',
    'type Bell = string',
    'const Bell = 1',
    'function start({ other: Bell = 1 }: Options) {}',
    'const start = (Bell: string) => Bell',
    'interface Options { Bell: string }',
    'class Clock { Bell() {} }',
  ])('is found in %s', (text) => {
    expect(count(text)).toEqual({ Bell: 1 })
  })

  it('is not found where it is only used, said, or declared outside the folders', () => {
    expect(count("phone.ring(); // the Bell\nconst text = 'Bell'")).toEqual({})
    expect(count('class Bell {}', 'bench/bell.ts')).toEqual({})
  })

  it('is found as the name of a file', () => {
    expect(count('', 'services/payments/src/sale/bell.ts')).toEqual({ 'sale/bell.ts': 1 })
  })
})

describe('a banned text', () => {
  it('is found as a whole literal', () => {
    expect(count("return 'rests'; log('it rests')")).toEqual({ rests: 1 })
  })

  it.each([
    '// checks once quiet',
    '/**\n * checks once\n * quiet\n */',
    "log('once quiet')",
    'log(`${n} once quiet`)',
  ])('is found in %j', (text) => {
    expect(count(text)).toEqual({ 'once quiet': 1 })
  })

  it('is found in a document, also across lines', () => {
    expect(count('It is checked once\nquiet.', 'services/payments/README.md')).toEqual({ 'once quiet': 1 })
  })
})

describe('the check', () => {
  it('rejects every banned term that occurs', () => {
    expect(findTermViolations({})).toEqual([])
    expect(findTermViolations({ Bell: 2, ring: 1 })).toEqual([
      '"Bell" occurs 2 times: see docs/glossary.md.',
      '"ring" occurs 1 times: see docs/glossary.md.',
    ])
  })
})
