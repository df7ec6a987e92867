import { expect, it } from 'vitest'
import { hashOf, isRefreshToken, judgeRefresh, newRefreshToken, successorOf, type RefreshVerdict } from './session.ts'

const now = new Date('2025-11-03T10:00:00Z')
const at = (ms: number) => new Date(now.getTime() + ms)
const session = { id: 's', userId: 'u', expiresAt: at(1000), revokedAt: null }
const current = { expiresAt: at(1000), replacedAt: null }

it.each<[string, Partial<typeof session> | { revokedAt: Date }, object, RefreshVerdict]>([
  ['the current token', {}, {}, 'rotate'],
  ['a replaced one, just now', {}, { replacedAt: now }, 'repeat'],
  ['a replaced one at the end of its time', {}, { replacedAt: at(-30_000) }, 'repeat'],
  ['a replaced one after that', {}, { replacedAt: at(-30_001) }, 'reused'],
  ['one of a revoked session', { revokedAt: now }, {}, 'over'],
  ['a late one of a revoked session', { revokedAt: now }, { replacedAt: at(-60_000) }, 'over'],
  ['one of an ended session', { expiresAt: now }, {}, 'over'],
  ['one that ended by itself', {}, { expiresAt: now, replacedAt: at(-60_000) }, 'over'],
])('judges %s', (_, ofSession, ofToken, verdict) => {
  expect(judgeRefresh({ ...session, ...ofSession }, { ...current, ...ofToken }, now, 30_000)).toBe(verdict)
})

it('computes one successor per token and secret', () => {
  const token = newRefreshToken()
  const secret = new Uint8Array(32)
  expect(isRefreshToken(successorOf(token, secret))).toBe(true)
  expect(successorOf(token, secret)).toBe(successorOf(token, secret))
  expect(successorOf(token, secret)).not.toBe(successorOf(token, new Uint8Array(32).fill(1)))
  expect(successorOf(token, secret)).not.toBe(successorOf(newRefreshToken(), secret))
  expect(hashOf(token).toString('base64url')).not.toBe(token)
})
