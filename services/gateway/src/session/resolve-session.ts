import type { VerifyToken } from '@marketplace/kit/auth.ts'
import { DomainError } from '@marketplace/kit/problem.ts'
import type { RefreshSession, RenewedTokens } from './refresh-session.ts'
import type { Revocations } from './revocations.ts'

export type Session =
  /** `userId` is null when the keys could not be read just now. */
  | { kind: 'signed in'; accessToken: string; userId: string | null; renewed: RenewedTokens | null }
  /** `isOver`: there was a session, and its cookies are of no use any more. */
  | { kind: 'signed out'; isOver: boolean }
  /** Users gave no answer in time: nothing is known, so nothing is taken away. */
  | { kind: 'unknown' }

export interface SessionContext {
  verify: VerifyToken
  refresh: RefreshSession
  revocations: Pick<Revocations, 'isRevoked' | 'isSure'>
  refreshAheadMs: number
}

export interface SessionTokens {
  access: string | null
  refresh: string | null
}

/**
 * Who the cookies stand for; renews them when the access token is missing, over or about to be. `beforeRefresh` may reject,
 * so that nobody makes users answer for made-up tokens without a limit.
 */
export async function resolveSession(
  ctx: SessionContext,
  { access, refresh }: SessionTokens,
  beforeRefresh: () => Promise<void>,
): Promise<Session> {
  const judged = await judgeAccess(ctx, access)
  const asItIs = withoutRefresh(judged)
  if (judged.state === 'good' || refresh === null) return asItIs
  await beforeRefresh()
  const answer = await ctx.refresh(refresh)
  if (answer.kind === 'over') return { kind: 'signed out', isOver: true }
  if (answer.kind === 'unanswered') return judged.state === 'ending' ? asItIs : { kind: 'unknown' }
  const { accessToken } = answer.tokens
  return { kind: 'signed in', accessToken, userId: await userOf(ctx, accessToken), renewed: answer.tokens }
}

/** unsure: valid, but its revocation could be news to us, or the keys cannot be read. */
type Access =
  | { state: 'good' | 'ending'; accessToken: string; userId: string }
  | { state: 'unsure' | 'missing' | 'useless' }

async function judgeAccess(ctx: SessionContext, accessToken: string | null): Promise<Access> {
  if (accessToken === null) return { state: 'missing' }
  try {
    const token = await ctx.verify(accessToken)
    if (ctx.revocations.isRevoked(token.sessionId)) return { state: 'useless' }
    if (!ctx.revocations.isSure(token)) return { state: 'unsure' }
    const isEnding = token.expiresAt.getTime() - Date.now() < ctx.refreshAheadMs
    return { state: isEnding ? 'ending' : 'good', accessToken, userId: token.userId }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { state: error.kind === 'unavailable' ? 'unsure' : 'useless' }
  }
}

function withoutRefresh(access: Access): Session {
  if ('accessToken' in access) {
    return { kind: 'signed in', accessToken: access.accessToken, userId: access.userId, renewed: null }
  }
  return access.state === 'unsure' ? { kind: 'unknown' } : { kind: 'signed out', isOver: false }
}

async function userOf(ctx: SessionContext, accessToken: string): Promise<string | null> {
  try {
    return (await ctx.verify(accessToken)).userId
  } catch {
    return null
  }
}
