import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { SalesService } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import type { BusEvent } from '@marketplace/kit/bus.ts'
import type { ConsumerDefinition } from '@marketplace/kit/consumer.ts'
import { openDatabase, transaction } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { someone, startTestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSecret, testSettings } from '@marketplace/testing/settings.ts'
import pg from 'pg'
import { auctionNews } from '../auction/auctions.events.ts'
import type { CatalogSettings } from '../config.ts'
import type { CatalogTables } from '../db.ts'
import { settledSales } from '../sale/sales.events.ts'
import { createCatalogService } from '../service.ts'
import { startFakeAuctions, startFakeUsers, type FakeAuctions } from './neighbours.ts'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Record<string, unknown>
  body: Body
}

export interface Stage {
  database: TestDatabase
  settings: CatalogSettings
  auctions: FakeAuctions
  seller: TestUser
  catalog: Client<typeof CatalogService>
  sales: Client<typeof SalesService>
  get<Body = Record<string, unknown>>(url: string, as?: TestUser): Promise<Answer<Body>>
  post(body: unknown, as?: TestUser | null): Promise<Answer>
  /** A listing of the seller's and its id. */
  list(change?: Record<string, unknown>): Promise<string>
  auction(change?: Record<string, unknown>): Promise<string>
  /** Applies an event as its consumer does, each time anew. */
  deliver<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Promise<void>
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const dayMs = 24 * 3_600_000
export const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

export const lamp = { title: 'A brass lamp', price: 24.99, category_id: 7 }
export const watch = () => ({
  title: 'A diver’s watch',
  category_id: 5,
  is_auction: true,
  starting_bid: 100,
  auction_end_date: inDays(1),
})

export async function setStage(): Promise<Stage> {
  const seller = someone('Olive')
  const [database, keys, auctions] = await Promise.all([testDatabase('catalog'), startTestKeys(), startFakeAuctions()])
  const users = await startFakeUsers(keys, new Map([[seller.userId, 'Olive']]))
  const settings = settingsFor(database, users.url, auctions.url, keys)
  const service = createCatalogService(settings)
  const internalUrl = await service.internalApp.listen({ host: '127.0.0.1', port: 0 })
  const db = openDatabase<CatalogTables>(database.url, () => undefined)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()

  const stage: Stage = {
    database,
    settings,
    auctions,
    seller,
    catalog: rpcClient(CatalogService, internalUrl, testSecret),
    sales: rpcClient(SalesService, internalUrl, testSecret),
    async get(url, as) {
      const headers = as ? await keys.authorization(as) : {}
      const response = await service.publicApp.inject({ method: 'GET', url, headers })
      return { status: response.statusCode, headers: response.headers, body: response.json() }
    },
    async post(body, as = seller) {
      const headers = { 'content-type': 'application/json', ...(as && (await keys.authorization(as))) }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const response = await service.publicApp.inject({ method: 'POST', url: '/api/listings', headers, payload })
      return { status: response.statusCode, headers: response.headers, body: response.json() }
    },
    list: (change = {}) => idOf(stage.post({ ...lamp, ...change })),
    auction: (change = {}) => idOf(stage.post({ ...watch(), ...change })),
    async deliver(schema, message) {
      const event = toEvent(schema, message)
      await transaction(db, async (trx) => {
        for (const { handlers } of consumers) {
          await handlers.find(({ type }) => type === event.type)?.read(event)(trx)
        }
      })
    },
    rows: async (text, values = []) => (await owner.query(text, [...values])).rows,
    async close() {
      await owner.end()
      await db.destroy()
      await service.stop()
      await Promise.all([users.stop(), auctions.stop(), keys.stop()])
      await database.drop()
    },
  }
  return stage
}

const consumers: readonly ConsumerDefinition<CatalogTables>[] = [auctionNews, settledSales]

function settingsFor(
  database: TestDatabase,
  usersUrl: string,
  auctionUrl: string,
  keys: Awaited<ReturnType<typeof startTestKeys>>,
): CatalogSettings {
  return {
    ...testSettings(database, keys),
    USERS_INTERNAL_URL: usersUrl,
    AUCTION_INTERNAL_URL: auctionUrl,
    OPEN_AUCTION_MS: 500,
    // The machine of a test run may be busy; what a deadline does is tested with a neighbour that never answers.
    READ_AUCTIONS_MS: 1000,
    READ_PROFILES_MS: 1000,
    KEEP_PROFILES_MS: 60_000,
  }
}

async function idOf(posting: Promise<Answer>): Promise<string> {
  const { status, body } = await posting
  if (status !== 201) throw new Error(`Not created: ${status} ${JSON.stringify(body)}`)
  return String(body['id'])
}

export function toEvent<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): BusEvent {
  return {
    id: newId(),
    topic: 'tests',
    key: 'tests',
    type: schema.typeName,
    occurredAt: new Date().toISOString(),
    version: 1,
    traceparent: null,
    payload: toJson(schema, create(schema, message)),
  }
}
