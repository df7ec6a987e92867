import { expect, it } from 'vitest'
import { findDuplicateKey, isDeeperThan } from './json-checks.ts'

it.each([
  ['{"a":1,"b":2}', null],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1, "\\u0061" : 2}', 'a'],
  ['{"a":{"a":1},"b":{"a":"a"}}', null],
  ['[{"a":1},{"a":1}]', null],
  ['{"a":[{"b":1,"b":1}]}', 'b'],
  ['{"a":"{\\"b\\":1,\\"b\\":1}","b":"a:"}', null],
  ['{"a\\\\":1,"a":2}', null],
  ['{"":1,"":2}', ''],
  ['"a"', null],
])('returns for %s the duplicate key %s', (json, name) => {
  expect(findDuplicateKey(json)).toBe(name)
})

it.each([
  ['{}', 1],
  ['{"a":[{"b":[]}],"c":{}}', 4],
  ['[[],[],[[]]]', 3],
  ['{"a":"[[[[\\"{{{{"}', 1],
  ['"a"', 0],
])('finds that %s has %i levels', (json, levels) => {
  expect([isDeeperThan(json, levels - 1), isDeeperThan(json, levels)]).toEqual([true, false])
})

it('checks a hostile body in linear time', () => {
  const size = 64 * 1024
  const bodies = [
    JSON.stringify({ a: '\\"'.repeat(size / 2) }),
    `${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`,
    `{"a"${' '.repeat(size)}:"b"${' '.repeat(size)}}`,
    `[${Array(size / 4)
      .fill('"a"')
      .join()}]`,
  ]
  const started = performance.now()
  expect(bodies.map(findDuplicateKey)).toEqual([null, null, null, null])
  expect(bodies.map((body) => isDeeperThan(body, 10_000))).toEqual([false, false, false, false])
  expect(performance.now() - started).toBeLessThan(5000)
})
