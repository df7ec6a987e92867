import { expect, it } from 'vitest'
import { countCharacters, lengthError, listedDescription, truncate } from './text.ts'

it('counts code points, with the space around the text', () => {
  expect(['', '    ', 'ab ', '😀😀'].map(countCharacters)).toEqual([0, 4, 3, 2])
})

it('returns an error that names the limit if a text is too long', () => {
  expect(lengthError('Title', ` ${'😀'.repeat(3)} `, 3)).toBeNull()
  expect(lengthError('Title', 'abcd', 3)).toBe('Title must be 3 characters or fewer')
})

it('truncates between code points', () => {
  expect(truncate('abc', 3)).toBe('abc')
  expect(truncate('abcd', 3)).toBe('abc')
  expect(truncate('😀'.repeat(5), 3)).toBe('😀😀😀')
})

it('adds an ellipsis to a description that the server cut to 160 characters', () => {
  expect(listedDescription('A whole sentence.')).toBe('A whole sentence.')
  expect(listedDescription(`${'a'.repeat(159)} `)).toBe(`${'a'.repeat(159)}…`)
})
