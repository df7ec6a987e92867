import { expect, it } from 'vitest'
import { initialsOf } from './Avatar.tsx'

it.each([
  ['Ada Lovelace', 'AL'],
  ['Ada King Lovelace', 'AK'],
  ['ada@example.com', 'AD'],
  ['  Ada   Lovelace ', 'AL'],
  ['👩 Ada', '👩A'],
  ['', ''],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
