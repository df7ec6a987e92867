import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { serveRpc } from '@marketplace/kit/rpc.ts'
import { startFakeRpc } from '@marketplace/testing/fake-rpc.ts'
import { someone, type TestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import fastify from 'fastify'

/** What the neighbours would answer; each call is counted. */
export interface Neighbours {
  listings: Map<string, { id: string; title: string; sellerId: string; isActive: boolean }>
  profiles: Map<string, { userId: string; name: string; picture: string }>
  /** Neighbours that take longer than anybody waits. */
  silent: Set<'catalog' | 'users'>
  calls: { catalog: number; users: number }
}

export function noNeighbours(): Neighbours {
  return { listings: new Map(), profiles: new Map(), silent: new Set(), calls: { catalog: 0, users: 0 } }
}

export function addPerson({ profiles }: Neighbours, name: string): TestUser {
  const user = someone(name)
  profiles.set(user.userId, { userId: user.userId, name, picture: `https://pictures.example/${name}.jpg` })
  return user
}

export function addListing({ listings }: Neighbours, seller: TestUser, isActive: boolean): string {
  const id = newId()
  listings.set(id, { id, title: 'A brass lamp', sellerId: seller.userId, isActive })
  return id
}

export function startCatalog({ listings, silent, calls }: Neighbours) {
  return startFakeRpc((router) => {
    router.service(CatalogService, {
      async getListings({ ids }) {
        calls.catalog += 1
        if (silent.has('catalog')) await forever
        return { listings: ids.flatMap((id) => listings.get(id) ?? []) }
      },
    })
  })
}

// The tests' keys and these people at one address, as users has them.
export async function startUsers({ profiles, silent, calls }: Neighbours, keys: TestKeys) {
  const server = fastify({ forceCloseConnections: true })
  server.get('/jwks.json', async () => (await fetch(`${keys.usersInternalUrl}/jwks.json`)).json())
  serveRpc(server, testSecret, (router) => {
    router.service(UsersService, {
      async getProfiles({ userIds }) {
        calls.users += 1
        if (silent.has('users')) await forever
        return { profiles: userIds.flatMap((id) => profiles.get(id) ?? []) }
      },
    })
  })
  return { url: await server.listen({ host: '127.0.0.1', port: 0 }), stop: () => server.close() }
}

const forever = new Promise<never>(() => undefined)
