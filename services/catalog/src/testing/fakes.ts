import { create } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionSchema,
  AuctionService,
  type Auction,
  type OpenAuctionRequest,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { conflict } from '@marketplace/kit/errors/problem.ts'
import { serveRpc } from '@marketplace/kit/rpc/rpc.ts'
import { startFakeRpc } from '@marketplace/testing/fake-rpc.ts'
import type { TestKeys } from '@marketplace/testing/keys.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import fastify from 'fastify'

/** An in-memory auction service that implements the RPC contract. */
export interface FakeAuctions {
  url: string
  known: Map<string, Auction>
  opened: OpenAuctionRequest[]
  /** The ids of each `GetAuctions` call, in order. */
  calls: string[][]
  /** The listing ids of dropped auctions, in order. */
  dropped: string[]
  /** Hooks that run before a response is sent. They may wait or throw. */
  before: { open: () => Promise<void>; get: () => Promise<void>; drop: (listingId: string) => Promise<void> }
  /** The message with which `OpenAuction` rejects; null to accept. */
  rejection: string | null
  bid(listingId: string, amountCents: number): void
  stop(): Promise<void>
}

export async function startFakeAuctions(): Promise<FakeAuctions> {
  const none = async () => undefined
  const fake: Omit<FakeAuctions, 'url' | 'stop'> = {
    known: new Map(),
    opened: [],
    calls: [],
    dropped: [],
    before: { open: none, get: none, drop: none },
    rejection: null,
    bid(listingId, amountCents) {
      const { bidCount, number, ...auction } = fake.known.get(listingId) ?? create(AuctionSchema)
      const next = { ...auction, currentBidCents: amountCents, bidCount: bidCount + 1, number: number + 1n }
      fake.known.set(listingId, next)
    },
  }
  const { url, stop } = await startFakeRpc((router) => {
    router.service(AuctionService, {
      async openAuction(request) {
        fake.opened.push(request)
        await fake.before.open()
        if (fake.rejection !== null) return { answer: { case: 'refused', value: fake.rejection } }
        const auction = toAuction(request)
        if (fake.dropped.includes(auction.listingId)) throw conflict('auction_dropped', 'The auction was dropped.')
        fake.known.set(auction.listingId, auction)
        return { answer: { case: 'auction', value: auction } }
      },
      async getAuctions({ listingIds }) {
        fake.calls.push(listingIds)
        // The auctions are read before the hook runs, so that the response lacks bids that arrive while the hook waits.
        const auctions = listingIds.flatMap((id) => fake.known.get(id) ?? [])
        await fake.before.get()
        return { auctions }
      },
      async dropAuction({ listingId }) {
        await fake.before.drop(listingId)
        fake.dropped.push(listingId)
        fake.known.delete(listingId)
        return {}
      },
    })
  })
  return Object.assign(fake, { url, stop })
}

function toAuction({ terms, endAt, buyItNowCents }: OpenAuctionRequest): Auction {
  const end = endAt ? timestampDate(endAt) : new Date()
  return create(AuctionSchema, {
    listingId: terms?.listingId,
    startingBidCents: terms?.priceCents,
    bidCount: 0,
    number: 1n,
    endAt: timestampFromDate(end),
    isOpen: end > new Date(),
    buyItNowCents,
  })
}

/** A users service that implements the RPC contract. */
export interface FakeUsers {
  url: string
  /** The ids of each `GetProfiles` call, in order. */
  calls: string[][]
  stop(): Promise<void>
}

/** Starts a users service with the keys of the tests and these names. */
export async function startFakeUsers(keys: TestKeys, names: ReadonlyMap<string, string>): Promise<FakeUsers> {
  const server = fastify({ forceCloseConnections: true })
  const calls: string[][] = []
  server.get('/jwks.json', async () => (await fetch(`${keys.usersInternalUrl}/jwks.json`)).json())
  serveRpc(server, testSecret, (router) => {
    router.service(UsersService, {
      getProfiles({ userIds }) {
        calls.push(userIds)
        return {
          profiles: userIds.flatMap((userId) => {
            const name = names.get(userId)
            return name === undefined ? [] : [{ userId, name, picture: '' }]
          }),
        }
      },
    })
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, calls, stop: () => server.close() }
}

/**
 * Lets each call of OpenAuction exceed its deadline until the returned function is called. The calls are executed then.
 */
export function exceedOpeningDeadline({
  auctions,
  settings,
}: {
  auctions: FakeAuctions
  settings: { OPEN_AUCTION_TIMEOUT_MS: number }
}): () => void {
  const { OPEN_AUCTION_TIMEOUT_MS } = settings
  const { promise, resolve } = Promise.withResolvers<void>()
  settings.OPEN_AUCTION_TIMEOUT_MS = 100
  auctions.before.open = () => promise
  return () => {
    settings.OPEN_AUCTION_TIMEOUT_MS = OPEN_AUCTION_TIMEOUT_MS
    auctions.before.open = async () => undefined
    resolve()
  }
}
