import { timestampDate } from '@bufbuild/protobuf/wkt'
import { UsersService, type RefreshSessionResponse } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { addressHeader } from '@marketplace/kit/http/client-address.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'

export interface RefreshedTokens {
  accessToken: string
  refreshToken: string
  refreshExpiresAt: Date
}

export type RefreshResult =
  | { kind: 'refreshed'; tokens: RefreshedTokens }
  | { kind: 'expired' }
  | { kind: 'unavailable' }

/** Refreshes a session. `address` is the client's address, which the users service records with security events. */
export type RefreshSession = (refreshToken: string, address: string) => Promise<RefreshResult>

export interface RefreshOptions {
  usersInternalUrl: string
  secret: string
  timeoutMs: number
  log: Log
}

/**
 * Creates the function that refreshes a session by calling the users service. Concurrent requests with the same refresh
 * token share one call.
 */
export function createSessionRefresher({ usersInternalUrl, secret, timeoutMs, log }: RefreshOptions): RefreshSession {
  const users = rpcClient(UsersService, usersInternalUrl, secret)
  const pending = new Map<string, Promise<RefreshResult>>()
  const refresh: RefreshSession = async (refreshToken, address) => {
    try {
      return toResult(
        await users.refreshSession({ refreshToken }, { timeoutMs, headers: { [addressHeader]: address } }),
      )
    } catch (error) {
      // A failed call does not mean that the session has ended, so the cookies are kept.
      log.warn({ err: error }, 'session refresh failed')
      return { kind: 'unavailable' }
    } finally {
      pending.delete(refreshToken)
    }
  }
  return (refreshToken, address) => {
    const running = pending.get(refreshToken) ?? refresh(refreshToken, address)
    pending.set(refreshToken, running)
    return running
  }
}

// A newer version of the users service can send other kinds of responses. The result is then `unavailable`.
function toResult({ answer }: RefreshSessionResponse): RefreshResult {
  if (answer.case === 'over') return { kind: 'expired' }
  if (answer.case !== 'tokens' || !answer.value.refreshExpiresAt) return { kind: 'unavailable' }
  const { accessToken, refreshToken, refreshExpiresAt } = answer.value
  return { kind: 'refreshed', tokens: { accessToken, refreshToken, refreshExpiresAt: timestampDate(refreshExpiresAt) } }
}
