import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  ListingChangedSchema,
  ListingCreatedSchema,
  ListingViewedSchema,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { openDatabase, transaction, type Db } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { readContract, expectToMatchContractAt } from '@marketplace/testing/contract.ts'
import { startTestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import type { SearchSettings } from '../config.ts'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import type { SearchTables } from '../db.ts'
import { listingIndex } from '../listing/listings.events.ts'
import { createSearchService } from '../service.ts'
import { makeListing, type ListingChange } from './listings.ts'

export interface Answer {
  status: number
  total: unknown
  link: unknown
  ids: string[]
  body: Record<string, unknown>[] & { error?: string; details?: { path: string }[] }
}

export interface Request {
  as?: TestUser
  body?: unknown
  headers?: Record<string, string>
}

export interface Stage {
  database: TestDatabase
  settings: SearchSettings
  db: Db<SearchTables>
  /** Any call; its answer is held to openapi.json. */
  ask(method: 'GET' | 'POST', url: string, request?: Request): Promise<LightMyRequestResponse>
  /** `GET /api/listings` with this query, or at this address. */
  browse(query?: Record<string, string> | string): Promise<Answer>
  /** Every page from this query on, by the links; the ids of each. */
  pages(query: Record<string, string>): Promise<string[][]>
  /** A new listing, told as created; answers its id. */
  list(change?: ListingChange): Promise<string>
  change(listing: ListingChange): Promise<void>
  bid(listingId: string, amountCents: number, number?: number): Promise<void>
  view(listingId: string, viewCount: number): Promise<void>
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const json = { 'content-type': 'application/json' }
const contract = await readContract('search')

export async function setStage(): Promise<Stage> {
  const [database, keys] = await Promise.all([testDatabase('search'), startTestKeys()])
  const settings = {
    ...testSettings(database, keys),
    KEEP_SEARCHES_MS: 86_400_000,
    SWEEP_SEARCHES_MS: 60_000,
    DATABASE_CONNECTIONS: 3,
  }
  const service = createSearchService(settings)
  const db = openDatabase<SearchTables>(database.url, () => undefined)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()

  const stage: Stage = {
    database,
    settings,
    db,
    async ask(method, url, { as, body, headers }: Request = {}) {
      const all = { ...(body !== undefined && json), ...(as && (await keys.authorization(as))), ...headers }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await service.publicApp.inject({ method, url, headers: all, payload })
      expectToMatchContractAt(contract, method, url, answer)
      return answer
    },
    async browse(query = {}) {
      const url = typeof query === 'string' ? query : `/api/listings?${new URLSearchParams(query)}`
      const answer = await stage.ask('GET', url)
      const { statusCode, headers } = answer
      const body: Answer['body'] = answer.json()
      const ids = Array.isArray(body) ? body.map(({ id }) => String(id)) : []
      return { status: statusCode, total: headers['x-total-count'], link: headers['link'], ids, body }
    },
    async pages(query) {
      const pages: string[][] = []
      for (let next: Record<string, string> | string | undefined = query; next !== undefined;) {
        const { ids, link } = await stage.browse(next)
        pages.push(ids)
        next = /^<(.+)>; rel="next"$/.exec(String(link))?.[1]
      }
      return pages
    },
    async list(change) {
      const listing = makeListing(change)
      await deliver(db, ListingCreatedSchema, { listing })
      return listing.id
    },
    change: (listing) => deliver(db, ListingChangedSchema, { listing: makeListing(listing) }),
    bid: (listingId, amountCents, number = amountCents) =>
      deliver(db, BidPlacedSchema, { listingId, amountCents, number: BigInt(number) }),
    view: (listingId, viewCount) => deliver(db, ListingViewedSchema, { listingId, viewCount }),
    rows: async (text, values = []) => (await owner.query(text, [...values])).rows,
    async close() {
      await owner.end()
      await db.destroy()
      await service.stop()
      await keys.stop()
      await database.drop()
    },
  }
  return stage
}

async function deliver<Desc extends DescMessage>(
  db: Db<SearchTables>,
  schema: Desc,
  message: MessageInitShape<Desc>,
): Promise<void> {
  const event = {
    id: newId(),
    topic: 'tests',
    key: 'tests',
    type: schema.typeName,
    occurredAt: new Date().toISOString(),
    version: 1,
    traceparent: null,
    payload: toJson(schema, create(schema, message)),
  }
  const handler = listingIndex.handlers.find(({ type }) => type === event.type)
  if (!handler) throw new Error(`Nobody handles ${event.type}`)
  await transaction(db, handler.read(event))
}
