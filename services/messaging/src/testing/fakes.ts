import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { serveRpc } from '@marketplace/kit/rpc/rpc.ts'
import { startFakeRpc } from '@marketplace/testing/fake-rpc.ts'
import { randomUser, type TestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import fastify from 'fastify'

/** Responses of the fake services. Calls are counted. */
export interface Fakes {
  listings: Map<string, { id: string; title: string; sellerId: string; isActive: boolean }>
  profiles: Map<string, { userId: string; name: string; picture: string }>
  /** Services that never respond. */
  unresponsive: Set<'catalog' | 'users'>
  calls: { catalog: number; users: number }
}

export function createFakes(): Fakes {
  return { listings: new Map(), profiles: new Map(), unresponsive: new Set(), calls: { catalog: 0, users: 0 } }
}

export function addUser({ profiles }: Fakes, name: string): TestUser {
  const user = randomUser(name)
  profiles.set(user.userId, { userId: user.userId, name, picture: `https://pictures.example/${name}.jpg` })
  return user
}

export function addListing({ listings }: Fakes, seller: TestUser, isActive: boolean): string {
  const id = newId()
  listings.set(id, { id, title: 'A brass lamp', sellerId: seller.userId, isActive })
  return id
}

export function startFakeCatalog({ listings, unresponsive, calls }: Fakes) {
  return startFakeRpc((router) => {
    router.service(CatalogService, {
      async getListings({ ids }) {
        calls.catalog += 1
        if (unresponsive.has('catalog')) await never
        return { listings: ids.flatMap((id) => listings.get(id) ?? []) }
      },
    })
  })
}

// Serves the tests' public keys and these profiles on one port, as the users service does.
export async function startFakeUsers({ profiles, unresponsive, calls }: Fakes, keys: TestKeys) {
  const server = fastify({ forceCloseConnections: true })
  server.get('/jwks.json', async () => (await fetch(`${keys.usersInternalUrl}/jwks.json`)).json())
  serveRpc(server, testSecret, (router) => {
    router.service(UsersService, {
      async getProfiles({ userIds }) {
        calls.users += 1
        if (unresponsive.has('users')) await never
        return { profiles: userIds.flatMap((id) => profiles.get(id) ?? []) }
      },
    })
  })
  return { url: await server.listen({ host: '127.0.0.1', port: 0 }), stop: () => server.close() }
}

const never = new Promise<never>(() => undefined)
