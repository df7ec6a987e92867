import { expect, it } from 'vitest'
import {
  hashToken,
  isRefreshToken,
  evaluateRefresh,
  newRefreshToken,
  deriveNextToken,
  sessionExpiry,
  type RefreshDecision,
} from './session.ts'

const now = new Date('2025-11-03T10:00:00Z')
const at = (ms: number) => new Date(now.getTime() + ms)
const session = { id: 's', userId: 'u', createdAt: at(-1000), expiresAt: at(1000), revokedAt: null }
const current = { expiresAt: at(1000), replacedAt: null }

it.each<[string, Partial<typeof session> | { revokedAt: Date }, object, RefreshDecision]>([
  ['the current token', {}, {}, 'rotate'],
  ['a token replaced just now', {}, { replacedAt: now }, 'repeat'],
  ['a replaced token at the end of its grace period', {}, { replacedAt: at(-30_000) }, 'repeat'],
  ['a replaced token after its grace period', {}, { replacedAt: at(-30_001) }, 'reused'],
  ['a token of a revoked session', { revokedAt: now }, {}, 'expired'],
  ['a replaced token of a revoked session', { revokedAt: now }, { replacedAt: at(-60_000) }, 'expired'],
  ['a token of an expired session', { expiresAt: now }, {}, 'expired'],
  ['an expired token', {}, { expiresAt: now, replacedAt: at(-60_000) }, 'expired'],
])('evaluates %s', (_, ofSession, ofToken, decision) => {
  expect(evaluateRefresh({ ...session, ...ofSession }, { ...current, ...ofToken }, now, 30_000)).toBe(decision)
})

it.each([
  ['30 days after its use', 10, 40],
  ['on its last day', 60, 90],
  ['90 days after its sign-in, however often it is used', 89, 90],
  ['in the past when it is older', 95, 90],
])('AUTH-23 ends a session %s', (_, usedOnDay, endsOnDay) => {
  const day = 86_400_000
  const lifetimes = { REFRESH_TOKEN_TTL_MS: 30 * day, SESSION_MAX_AGE_MS: 90 * day }
  expect(sessionExpiry(now, at(usedOnDay * day), lifetimes)).toEqual(at(endsOnDay * day))
})

it('derives one successor per token and secret', () => {
  const token = newRefreshToken()
  const secret = new Uint8Array(32)
  expect(isRefreshToken(deriveNextToken(token, secret))).toBe(true)
  expect(deriveNextToken(token, secret)).toBe(deriveNextToken(token, secret))
  expect(deriveNextToken(token, secret)).not.toBe(deriveNextToken(token, new Uint8Array(32).fill(1)))
  expect(deriveNextToken(token, secret)).not.toBe(deriveNextToken(newRefreshToken(), secret))
  expect(hashToken(token).toString('base64url')).not.toBe(token)
})
