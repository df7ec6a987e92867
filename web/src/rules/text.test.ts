import { expect, it } from 'vitest'
import { countCharacters, fitting } from './text.ts'

it('counts code points of the trimmed text', () => {
  expect(['', '    ', 'ab ', '😀😀'].map(countCharacters)).toEqual([0, 0, 2, 2])
})

it('cuts between code points, never through one', () => {
  expect(fitting('abc', 3)).toBe('abc')
  expect(fitting('abcd', 3)).toBe('abc')
  expect(fitting('😀'.repeat(5), 3)).toBe('😀😀😀')
})
