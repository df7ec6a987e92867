import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { SessionRevokedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { UsersSettings } from '../config.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { hashToken, isActive, isRefreshToken, type Session } from './session.ts'
import { findSessionIdByToken, lockSession, markRevoked } from './sessions.repo.ts'

export interface SessionCredentials {
  sessionId: string | undefined
  refreshToken: string | undefined
}

/**
 * Revokes the session with the given id and the session of the given refresh token. A session that is unknown or no
 * longer active is ignored.
 */
export async function endSessions(ctx: Context, { sessionId, refreshToken }: SessionCredentials): Promise<void> {
  const sessionOfToken =
    refreshToken && isRefreshToken(refreshToken)
      ? await findSessionIdByToken(ctx.db, hashToken(refreshToken))
      : undefined
  for (const id of new Set([sessionId, sessionOfToken])) {
    if (id !== undefined) await transaction(ctx.db, (trx) => endIfActive(trx, id, ctx.settings))
  }
}

async function endIfActive(trx: Trx, sessionId: string, settings: UsersSettings): Promise<void> {
  const session = await lockSession(trx, sessionId)
  const now = await databaseTime(trx)
  if (session && isActive(session, now)) await revokeSessions(trx, [session], now, settings)
}

/**
 * Revokes the sessions and publishes SessionRevoked for each in the same transaction. The caller must hold the locks on
 * the session rows.
 */
export async function revokeSessions(
  trx: Trx,
  sessions: readonly Pick<Session, 'id' | 'userId'>[],
  now: Date,
  settings: Pick<UsersSettings, 'ACCESS_TOKEN_TTL_MS'>,
): Promise<void> {
  if (sessions.length === 0) return
  const ids = sessions.map(({ id }) => id)
  await markRevoked(trx, ids, now)
  // Expiry of the session's last access token, plus one second, because token expiry is rounded to whole seconds.
  const expiresAt = new Date(now.getTime() + settings.ACCESS_TOKEN_TTL_MS + 1000)
  await publishAll(
    trx,
    sessions.map(({ id, userId }) => ({
      topic: topics.users,
      key: userId,
      version: 1,
      schema: SessionRevokedSchema,
      message: { sessionId: id, userId, expiresAt: timestampFromDate(expiresAt) },
    })),
  )
}
