import { describe, expect, it } from 'vitest'
import { endedKeys, nextKeySignsFrom, pendingKeys } from './signing-key.ts'

const minute = 60_000
const now = new Date('2025-11-03T10:00:00Z')
const at = (minutes: number) => new Date(now.getTime() + minutes * minute)
const key = (id: string, minutes: number) => ({ id, signsFrom: at(minutes) })
const durations = { SIGNING_KEY_MS: 60 * minute, SIGNING_KEY_LEAD_MS: 10 * minute, ACCESS_TOKEN_MS: 5 * minute }

describe('the next key', () => {
  it.each([
    ['signs at once when there is none', [], now],
    ['is not due while the newest has long to sign', [key('a', -49)], null],
    ['is published ten minutes before it signs', [key('a', -50)], at(10)],
    ['is published ten minutes ahead also when it is late', [key('a', -5000)], at(10)],
    ['is not made twice', [key('a', -55), key('b', 5)], null],
  ])('%s', (_, keys, expected) => {
    expect(nextKeySignsFrom(keys, now, durations)).toEqual(expected)
  })
})

describe('an old key', () => {
  it.each([
    ['stays while it signs', [key('a', -500)], []],
    ['stays while its successor is only published', [key('a', -60), key('b', 1)], []],
    ['stays while its last token lives', [key('a', -60), key('b', -5)], []],
    ['goes a minute after its last token', [key('a', -60), key('b', -6)], ['a']],
    ['goes together with older ones', [key('a', -120), key('b', -60), key('c', -6), key('d', 4)], ['a', 'b']],
  ])('%s', (_, keys, expected) => {
    expect(endedKeys(keys, now, durations)).toEqual(expected)
  })
})

it('knows the keys that signed nothing yet', () => {
  expect(pendingKeys([key('a', -60), key('b', 0), key('c', 1)], now)).toEqual(['c'])
})
