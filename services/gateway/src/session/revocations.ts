import { fromJson } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { SessionRevokedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { VerifiedToken } from '@marketplace/kit/auth/caller.ts'
import type { Bus, BusEvent } from '@marketplace/kit/events/bus.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { tailTopic } from '../tail-topic.ts'

export interface Revocations {
  isRevoked(sessionId: string): boolean
  /** Returns whether a revocation of this token's session would have been read by now. */
  covers(token: VerifiedToken): boolean
  stop(): Promise<void>
}

export interface RevocationOptions {
  bus: Bus
  /** Period to read at start, in milliseconds. */
  replayMs: number
  log: Log
}

/** Tracks revoked sessions. Keeps each in the deny list until its last access token has expired. */
export function trackRevocations({ bus, replayMs, log }: RevocationOptions): Revocations {
  const startedAt = Date.now()
  const deniedUntil = new Map<string, number>()
  const since = new Date(startedAt - replayMs)
  const tail = tailTopic({ bus, topic: topics.users, since, handler: (event) => denySession(deniedUntil, event), log })
  return {
    isRevoked: (sessionId) => (deniedUntil.get(sessionId) ?? 0) > Date.now(),
    // `iat` has a resolution of one second.
    covers: (token) => tail.hasCaughtUp() || token.issuedAt.getTime() >= Math.floor(startedAt / 1000) * 1000,
    stop: () => tail.stop(),
  }
}

function denySession(deniedUntil: Map<string, number>, event: BusEvent): void {
  if (event.type !== SessionRevokedSchema.typeName) return
  const revoked = fromJson(SessionRevokedSchema, event.payload, { ignoreUnknownFields: true })
  if (!revoked.expiresAt) return
  const now = Date.now()
  for (const [sessionId, until] of deniedUntil) {
    // Entries are ordered by arrival, which is almost the order of expiry. An entry that is missed here is deleted by a
    // later event.
    if (until > now) break
    deniedUntil.delete(sessionId)
  }
  deniedUntil.set(revoked.sessionId, timestampDate(revoked.expiresAt).getTime())
}
