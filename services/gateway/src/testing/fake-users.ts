import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  RefreshSessionResponseSchema,
  UsersService,
  type RefreshSessionResponse,
} from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { serveRpc } from '@marketplace/kit/rpc/rpc.ts'
import type { TestKeys } from '@marketplace/testing/keys.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import fastify from 'fastify'

export interface FakeUsers {
  url: string
  /** Refresh tokens received, in order. */
  refreshes: string[]
  /** Client addresses of the refresh calls, in order. */
  addresses: (string | null)[]
  respond: (refreshToken: string) => Promise<RefreshSessionResponse>
  stop(): Promise<void>
}

/** Starts a fake of the users service's internal port. It serves the tests' public keys and the RPC RefreshSession. */
export async function startFakeUsers(keys: TestKeys): Promise<FakeUsers> {
  const server = fastify({ forceCloseConnections: true })
  const users: FakeUsers = {
    url: '',
    refreshes: [],
    addresses: [],
    respond: async () => expiredSession(),
    stop: () => server.close(),
  }
  serveRpc(server, testSecret, (router) => {
    router.service(UsersService, {
      refreshSession: ({ refreshToken }, { requestHeader }) => {
        users.refreshes.push(refreshToken)
        users.addresses.push(requestHeader.get('x-forwarded-for'))
        return users.respond(refreshToken)
      },
    })
  })
  server.get('/jwks.json', async () => (await fetch(new URL('/jwks.json', keys.usersInternalUrl))).json())
  users.url = await server.listen({ host: '127.0.0.1', port: 0 })
  return users
}

export function expiredSession(): RefreshSessionResponse {
  return create(RefreshSessionResponseSchema, { answer: { case: 'over', value: {} } })
}

export function refreshedSession(accessToken: string, refreshToken: string): RefreshSessionResponse {
  const refreshExpiresAt = timestampFromDate(new Date(Date.now() + 86_400_000))
  return create(RefreshSessionResponseSchema, {
    answer: { case: 'tokens', value: { accessToken, refreshToken, refreshExpiresAt } },
  })
}
