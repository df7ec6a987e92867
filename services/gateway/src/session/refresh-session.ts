import { timestampDate } from '@bufbuild/protobuf/wkt'
import { UsersService, type RefreshSessionResponse } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import type { Log } from '@marketplace/kit/log.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'

export interface RenewedTokens {
  accessToken: string
  refreshToken: string
  refreshExpiresAt: Date
}

export type RefreshAnswer = { kind: 'renewed'; tokens: RenewedTokens } | { kind: 'over' } | { kind: 'unanswered' }

export type RefreshSession = (refreshToken: string) => Promise<RefreshAnswer>

export interface RefreshOptions {
  usersInternalUrl: string
  secret: string
  timeoutMs: number
  log: Log
}

/** Asks users for a token's successors; requests that bring the same token share one call. */
export function sessionRefresher({ usersInternalUrl, secret, timeoutMs, log }: RefreshOptions): RefreshSession {
  const users = rpcClient(UsersService, usersInternalUrl, secret)
  const flights = new Map<string, Promise<RefreshAnswer>>()
  const ask = async (refreshToken: string): Promise<RefreshAnswer> => {
    try {
      return answerOf(await users.refreshSession({ refreshToken }, { timeoutMs }))
    } catch (error) {
      // Whatever went wrong over there, it does not say that the session is over.
      log.warn({ err: error }, 'a session could not be refreshed')
      return { kind: 'unanswered' }
    } finally {
      flights.delete(refreshToken)
    }
  }
  return (refreshToken) => {
    const flight = flights.get(refreshToken) ?? ask(refreshToken)
    flights.set(refreshToken, flight)
    return flight
  }
}

// An answer without one of its kinds is from a newer users service; it says nothing that we could act on.
function answerOf({ answer }: RefreshSessionResponse): RefreshAnswer {
  if (answer.case === 'over') return { kind: 'over' }
  if (answer.case !== 'tokens' || !answer.value.refreshExpiresAt) return { kind: 'unanswered' }
  const { accessToken, refreshToken, refreshExpiresAt } = answer.value
  return { kind: 'renewed', tokens: { accessToken, refreshToken, refreshExpiresAt: timestampDate(refreshExpiresAt) } }
}
