import { describe, expect, it } from 'vitest'
import { expiredKeys, nextKeySignsFrom, pendingKeys } from './signing-key.ts'

const minute = 60_000
const now = new Date('2025-11-03T10:00:00Z')
const at = (minutes: number) => new Date(now.getTime() + minutes * minute)
const key = (id: string, minutes: number) => ({ id, signsFrom: at(minutes) })
const durations = {
  SIGNING_KEY_ROTATION_INTERVAL_MS: 60 * minute,
  SIGNING_KEY_ACTIVATION_DELAY_MS: 10 * minute,
  ACCESS_TOKEN_TTL_MS: 5 * minute,
}

describe('the next key', () => {
  it.each([
    ['signs at once if no key exists', [], now],
    ['is not due more than ten minutes before the newest key ends', [key('a', -49)], null],
    ['is published ten minutes before it signs', [key('a', -50)], at(10)],
    ['is published ten minutes before it signs even if it is overdue', [key('a', -5000)], at(10)],
    ['is not created twice', [key('a', -55), key('b', 5)], null],
  ])('%s', (_, keys, expected) => {
    expect(nextKeySignsFrom(keys, now, durations)).toEqual(expected)
  })
})

describe('an old key', () => {
  it.each([
    ['is kept while it signs', [key('a', -500)], []],
    ['is kept while its successor is only published', [key('a', -60), key('b', 1)], []],
    ['is kept while its last token is valid', [key('a', -60), key('b', -5)], []],
    ['expires a minute after its last token', [key('a', -60), key('b', -6)], ['a']],
    ['expires together with older keys', [key('a', -120), key('b', -60), key('c', -6), key('d', 4)], ['a', 'b']],
  ])('%s', (_, keys, expected) => {
    expect(expiredKeys(keys, now, durations)).toEqual(expected)
  })
})

it('returns the keys that do not sign yet', () => {
  expect(pendingKeys([key('a', -60), key('b', 0), key('c', 1)], now)).toEqual(['c'])
})
