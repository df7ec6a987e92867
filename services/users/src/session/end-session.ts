import { databaseTime } from '@marketplace/kit/db/db.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import type { Caller } from '@marketplace/kit/auth/caller.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { revokeSessions } from './revoke-session.ts'
import { isActive } from './session.ts'
import { lockOtherSessions } from './session-list.repo.ts'
import { lockSession } from './sessions.repo.ts'

/** Ends a session of the user. Throws `missing` (404) if the session has ended or belongs to another user. */
export async function endOwnSession(
  trx: Trx,
  { settings }: Pick<Context, 'settings'>,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const session = await lockSession(trx, id)
  const now = await databaseTime(trx)
  if (!session || session.userId !== userId || !isActive(session, now)) throw missing('session')
  await revokeSessions(trx, [session], now, settings)
}

/** Ends all sessions of the user except the current one. Returns the number of ended sessions. */
export async function endOtherSessions(
  trx: Trx,
  { settings }: Pick<Context, 'settings'>,
  { userId, sessionId }: Caller,
): Promise<number> {
  const sessions = await lockOtherSessions(trx, userId, sessionId)
  await revokeSessions(trx, sessions, await databaseTime(trx), settings)
  return sessions.length
}
