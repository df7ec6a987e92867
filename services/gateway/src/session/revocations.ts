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
  /**
   * Returns whether all revocations that can affect this token have been read. Always returns true for tokens issued
   * after the gateway's start.
   */
  covers(token: VerifiedToken): boolean
  stop(): Promise<void>
}

export interface RevocationOptions {
  bus: Bus
  /** How far back events are read at start, in milliseconds. */
  replayMs: number
  log: Log
}

/** Tracks revoked sessions. A session stays on the deny list until its last access token has expired. */
export function trackRevocations({ bus, replayMs, log }: RevocationOptions): Revocations {
  const startedAt = Date.now()
  const deniedUntil = new Map<string, number>()
  const since = new Date(startedAt - replayMs)
  const tail = tailTopic({ bus, topic: topics.users, since, handler: (event) => denySession(deniedUntil, event), log })
  return {
    isRevoked: (sessionId) => (deniedUntil.get(sessionId) ?? 0) > Date.now(),
    // The start time is rounded down to whole seconds like the token's `iat`, because a token issued just after the
    // start would otherwise seem older than the start.
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
    // The loop stops at the first unexpired entry, because the entries were added roughly in the order of their expiry.
    if (until > now) break
    deniedUntil.delete(sessionId)
  }
  deniedUntil.set(revoked.sessionId, timestampDate(revoked.expiresAt).getTime())
}
