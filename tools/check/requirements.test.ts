import { describe, expect, it } from 'vitest'
import { findRequirementViolations } from './requirements.ts'
import { findDecidingTests } from './test-titles.ts'

const page = `
| id | kind | requirement |
|---|---|---|
| HOME-01 | ui | shows listings |
| Z9 | 10 MB | 413 |
| Z8 | a loop | ends |

### Not tested

| id | reason |
|---|---|
| Z8 | unknown |

## Tests

| HOME-77 | an earlier list |
`
const titles = (text: string) => findDecidingTests('a.test.ts', text)
const violations = (text: string) => findRequirementViolations(page, titles(text))
const complete = "test('HOME-01 Z9 shows listings', () => {})\n"

describe('the requirements', () => {
  it('are met by a page and tests that name the same ids', () => {
    expect(violations(complete)).toEqual([])
  })

  it('fail for a sentence without a test', () => {
    expect(violations("test('HOME-01 shows listings', () => {})")).toEqual(['Z9 has no unskipped test.'])
  })

  it.each(['test.skip', 'it.todo', 'test.describe.fixme', "describe.skip('x', () => {}); it.fails"])(
    'fail for a sentence whose only test is %s',
    (call) => {
      expect(violations(`${call}('HOME-01 Z9 shows listings', () => {})`)).toEqual([
        'HOME-01 has no unskipped test.',
        'Z9 has no unskipped test.',
      ])
    },
  )

  it('fail for tests inside a skipped group', () => {
    expect(violations(`describe.skip('later', () => { ${complete} })`)).toHaveLength(2)
  })

  it('fail for an id without a sentence', () => {
    expect(violations(`${complete}it('HOME-02 counts', () => {})`)).toEqual([
      'a.test.ts: HOME-02 has no sentence (HOME-02 counts).',
    ])
  })

  it('fail for an id that is listed as not tested although a test carries it', () => {
    expect(violations(`${complete}it('Z8 ends', () => {})`)).toEqual(['Z8 has a test and is listed as not tested.'])
  })

  it('fail for an id with two sentences', () => {
    const twice = page.replace('| Z9 |', '| HOME-01 | ui | again |\n| Z9 |')
    expect(findRequirementViolations(twice, titles(complete))).toEqual(['HOME-01 has two sentences.'])
  })
})

describe('the ids of a test', () => {
  it('are read from rows of a table and from parentheses', () => {
    const rows = `it.each([['A1 without a cookie', 1], ['of another issuer (J7)', 2]])('%s', () => {})`
    expect(titles(rows).map(({ ids }) => ids)).toEqual([['A1'], ['J7']])
  })

  it('are read from titles with placeholders', () => {
    expect(titles('test(`A2, A3 signs ${name} in`, () => {})')[0]).toMatchObject({
      title: 'A2, A3 signs … in',
      ids: ['A2', 'A3'],
    })
  })

  it('are not read from a value that only looks like an id', () => {
    expect(titles("const method = 'S256'; fetch('/x?A1 y')")).toEqual([])
  })
})
