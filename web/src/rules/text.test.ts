import { expect, it } from 'vitest'
import { countCharacters, fitting, tooLong } from './text.ts'

it('counts code points of the trimmed text', () => {
  expect(['', '    ', 'ab ', '😀😀'].map(countCharacters)).toEqual([0, 0, 2, 2])
})

it('names the limit of a text that is over it', () => {
  expect(tooLong('Title', ` ${'😀'.repeat(3)} `, 3)).toBeNull()
  expect(tooLong('Title', 'abcd', 3)).toBe('Title can have at most 3 characters')
})

it('cuts between code points, never through one', () => {
  expect(fitting('abc', 3)).toBe('abc')
  expect(fitting('abcd', 3)).toBe('abc')
  expect(fitting('😀'.repeat(5), 3)).toBe('😀😀😀')
})
