import type { VerifyToken } from '@marketplace/kit/auth.ts'
import { DomainError } from '@marketplace/kit/problem.ts'
import type { RefreshSession, RenewedTokens } from './refresh-session.ts'
import type { Revocations } from './revocations.ts'

export type Session =
  | { kind: 'signed in'; accessToken: string; renewed: RenewedTokens | null }
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

/** Who the cookies stand for; renews them when the access token is missing, over or about to be. */
export async function resolveSession(ctx: SessionContext, { access, refresh }: SessionTokens): Promise<Session> {
  const state = access === null ? 'useless' : await judgeAccess(ctx, access)
  const asItIs = withoutRefresh(state, access)
  if (state === 'good' || refresh === null) return asItIs
  const answer = await ctx.refresh(refresh)
  if (answer.kind === 'over') return { kind: 'signed out', isOver: true }
  if (answer.kind === 'unanswered') return state === 'ending' ? asItIs : { kind: 'unknown' }
  return { kind: 'signed in', accessToken: answer.tokens.accessToken, renewed: answer.tokens }
}

/** unsure: valid, but its revocation could be news to us, or the keys cannot be read. */
type AccessState = 'good' | 'ending' | 'unsure' | 'useless'

async function judgeAccess(ctx: SessionContext, access: string): Promise<AccessState> {
  try {
    const token = await ctx.verify(access)
    if (ctx.revocations.isRevoked(token.sessionId)) return 'useless'
    if (!ctx.revocations.isSure(token)) return 'unsure'
    return token.expiresAt.getTime() - Date.now() < ctx.refreshAheadMs ? 'ending' : 'good'
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error.kind === 'unavailable' ? 'unsure' : 'useless'
  }
}

function withoutRefresh(state: AccessState, access: string | null): Session {
  if (access === null || state === 'useless') return { kind: 'signed out', isOver: false }
  return state === 'unsure' ? { kind: 'unknown' } : { kind: 'signed in', accessToken: access, renewed: null }
}
