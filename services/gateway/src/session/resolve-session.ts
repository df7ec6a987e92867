import type { VerifyToken } from '@marketplace/kit/auth/caller.ts'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { RefreshSession, RefreshedTokens } from './refresh-session.ts'
import type { Revocations } from './revocations.ts'

export type Session =
  /** `userId` is null if the session was refreshed but the new access token could not be verified. */
  | { kind: 'signed in'; accessToken: string; userId: string | null; refreshed: RefreshedTokens | null }
  /** If `hasEnded` is true, the session has ended and the response deletes its cookies. */
  | { kind: 'signed out'; hasEnded: boolean }
  /** The users service is unavailable. The cookies are kept, because the session might still be valid. */
  | { kind: 'unknown' }

/** Returns the session's user id, or null if the user is signed out or could not be verified. */
export function userIdOf(session: Session): string | null {
  return session.kind === 'signed in' ? session.userId : null
}

export interface SessionContext {
  verify: VerifyToken
  refresh: RefreshSession
  revocations: Pick<Revocations, 'isRevoked' | 'covers'>
  refreshAheadMs: number
}

export interface SessionTokens {
  access: string | null
  refresh: string | null
  /** IP address of the client. */
  address: string
}

/**
 * Resolves the session from the cookies. Refreshes it if the access token is missing, expired or about to expire.
 * Before a refresh, calls `beforeRefresh`, which throws if the client's rate limit is exceeded: forged tokens could
 * otherwise cause any number of calls to the users service.
 */
export async function resolveSession(
  ctx: SessionContext,
  { access, refresh, address }: SessionTokens,
  beforeRefresh: () => Promise<void>,
): Promise<Session> {
  const checked = await checkAccessToken(ctx, access)
  const unrefreshed = withoutRefresh(checked)
  if (checked.state === 'valid' || refresh === null) return unrefreshed
  await beforeRefresh()
  const result = await ctx.refresh(refresh, address)
  if (result.kind === 'expired') return { kind: 'signed out', hasEnded: true }
  if (result.kind === 'unavailable') return checked.state === 'expiring' ? unrefreshed : { kind: 'unknown' }
  const { accessToken } = result.tokens
  return { kind: 'signed in', accessToken, userId: await verifiedUserId(ctx, accessToken), refreshed: result.tokens }
}

/**
 * State of the access token. `unverified`: the signing keys are unavailable, or the signature is valid but the list of
 * revoked sessions is not complete yet.
 */
type Access =
  | { state: 'valid' | 'expiring'; accessToken: string; userId: string }
  | { state: 'unverified' | 'missing' | 'invalid' }

async function checkAccessToken(ctx: SessionContext, accessToken: string | null): Promise<Access> {
  if (accessToken === null) return { state: 'missing' }
  try {
    const token = await ctx.verify(accessToken)
    if (ctx.revocations.isRevoked(token.sessionId)) return { state: 'invalid' }
    if (!ctx.revocations.covers(token)) return { state: 'unverified' }
    const isExpiring = token.expiresAt.getTime() - Date.now() < ctx.refreshAheadMs
    return { state: isExpiring ? 'expiring' : 'valid', accessToken, userId: token.userId }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { state: error.kind === 'unavailable' ? 'unverified' : 'invalid' }
  }
}

function withoutRefresh(access: Access): Session {
  if ('accessToken' in access) {
    return { kind: 'signed in', accessToken: access.accessToken, userId: access.userId, refreshed: null }
  }
  return access.state === 'unverified' ? { kind: 'unknown' } : { kind: 'signed out', hasEnded: false }
}

async function verifiedUserId(ctx: SessionContext, accessToken: string): Promise<string | null> {
  try {
    return (await ctx.verify(accessToken)).userId
  } catch {
    return null
  }
}
