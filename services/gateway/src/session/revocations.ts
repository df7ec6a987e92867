import { fromJson } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { SessionRevokedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { VerifiedToken } from '@marketplace/kit/auth.ts'
import type { Bus, BusEvent } from '@marketplace/kit/bus.ts'
import type { Log } from '@marketplace/kit/log.ts'
import { followTopic } from '../follow-topic.ts'

export interface Revocations {
  isRevoked(sessionId: string): boolean
  /** Whether a revocation of this token's session would be known here by now. */
  isSure(token: VerifiedToken): boolean
  stop(): Promise<void>
}

export interface RevocationOptions {
  bus: Bus
  /** How far back to read at start, ms. */
  backMs: number
  log: Log
}

/** Follows revoked sessions, and bars each until its last access token is over by itself. */
export function followRevocations({ bus, backMs, log }: RevocationOptions): Revocations {
  const startedAt = Date.now()
  const barredUntil = new Map<string, number>()
  const since = new Date(startedAt - backMs)
  const following = followTopic({ bus, topic: topics.users, since, handler: (event) => bar(barredUntil, event), log })
  return {
    isRevoked: (sessionId) => (barredUntil.get(sessionId) ?? 0) > Date.now(),
    // `iat` has whole seconds.
    isSure: (token) => following.hasCaughtUp() || token.issuedAt.getTime() >= Math.floor(startedAt / 1000) * 1000,
    stop: () => following.stop(),
  }
}

function bar(barredUntil: Map<string, number>, event: BusEvent): void {
  if (event.type !== SessionRevokedSchema.typeName) return
  const revoked = fromJson(SessionRevokedSchema, event.payload, { ignoreUnknownFields: true })
  if (!revoked.expiresAt) return
  const now = Date.now()
  for (const [sessionId, until] of barredUntil) {
    // In order of arrival, which is nearly the order of ending: what is left over goes with a later one.
    if (until > now) break
    barredUntil.delete(sessionId)
  }
  barredUntil.set(revoked.sessionId, timestampDate(revoked.expiresAt).getTime())
}
