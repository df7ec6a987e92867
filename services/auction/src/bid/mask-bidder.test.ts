import { expect, it } from 'vitest'
import { maskBidder } from './mask-bidder.ts'

it.each([
  ['alice', 'a***e'],
  ['Bob Smith', 'B***h'],
  ['  Zoë  ', 'Z***ë'],
  ['Al', 'A***l'],
  ['X', 'X***X'],
  ['👩‍👩‍👧 and 🇫🇷', '👩‍👩‍👧***🇫🇷'],
  ['', '***'],
])('masks %j as %j', (name, masked) => {
  expect(maskBidder(name)).toBe(masked)
})
