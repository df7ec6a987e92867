import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { serveRpc } from '@marketplace/kit/rpc/rpc.ts'
import type { TestKeys } from '@marketplace/testing/keys.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import fastify from 'fastify'

export interface FakeUsers {
  url: string
  names: Map<string, string>
  /** When true, calls get no response. */
  isUnresponsive: boolean
  stop(): Promise<void>
}

export async function startFakeUsers(keys: TestKeys): Promise<FakeUsers> {
  const server = fastify({ forceCloseConnections: true })
  server.get('/jwks.json', async () => (await fetch(`${keys.usersInternalUrl}/jwks.json`)).json())
  serveRpc(server, testSecret, (router) => {
    router.service(UsersService, {
      async getProfiles({ userIds }) {
        if (users.isUnresponsive) await new Promise(() => {})
        const found = userIds.filter((userId) => users.names.has(userId))
        return { profiles: found.map((userId) => ({ userId, name: users.names.get(userId) ?? '', picture: '' })) }
      },
    })
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const users: FakeUsers = { url, names: new Map(), isUnresponsive: false, stop: () => server.close() }
  return users
}
