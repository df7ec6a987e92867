import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  ListingChangedSchema,
  ListingCreatedSchema,
  ListingViewedSchema,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { transaction, type Db } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openTestPool, testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { readContract, expectToMatchContractAt } from '@marketplace/testing/contract.ts'
import { startTestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import type { SearchSettings } from '../config.ts'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import type { SearchTables } from '../db.ts'
import { listingIndex } from '../listing/listing-index.consumer.ts'
import { createSearchService } from '../service.ts'
import { makeListing, type ListingChange } from './listings.ts'

export interface BrowseResponse {
  status: number
  total: unknown
  link: unknown
  /** Decoded value of the header `X-Search-Corrected`. */
  corrected: string | null
  ids: string[]
  body: Record<string, unknown>[] & { error?: string; details?: { path: string }[] }
}

export interface RequestOptions {
  as?: TestUser
  body?: unknown
  headers?: Record<string, string>
}

export interface Harness {
  database: TestDatabase
  settings: SearchSettings
  db: Db<SearchTables>
  /** Sends a request and checks the response against openapi.json, unless it is compressed. */
  request(method: 'GET' | 'POST', url: string, options?: RequestOptions): Promise<LightMyRequestResponse>
  /** Sends `GET /api/listings` with these parameters, or `GET` to this URL. */
  browse(query?: Record<string, string> | string): Promise<BrowseResponse>
  /** Follows the links from a page, given by its query or URL, to the last and returns the ids of each page. */
  pages(start: Record<string, string> | string): Promise<string[][]>
  /** Applies a ListingCreated event and returns the listing's id. */
  createListing(change?: ListingChange): Promise<string>
  changeListing(listing: ListingChange): Promise<void>
  placeBid(listingId: string, amountCents: number, number?: number): Promise<void>
  setViewCount(listingId: string, viewCount: number): Promise<void>
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const json = { 'content-type': 'application/json' }
const contract = await readContract('search')

const defaults = {
  SEARCH_HISTORY_RETENTION_MS: 86_400_000,
  SEARCH_SWEEP_INTERVAL_MS: 60_000,
  MAX_SESSION_SEARCHES: 500_000,
  MAX_COUNTED_TERMS_PER_HOUR: 60,
  DATABASE_CONNECTIONS: 3,
}

export async function createHarness(): Promise<Harness> {
  const [database, keys] = await Promise.all([testDatabase('search'), startTestKeys()])
  const settings = { ...testSettings(database, keys), ...defaults }
  const service = createSearchService(settings)
  const db = openTestPool<SearchTables>(database.url)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()

  const harness: Harness = {
    database,
    settings,
    db,
    async request(method, url, { as, body, headers }: RequestOptions = {}) {
      const all = { ...(body !== undefined && json), ...(as && (await keys.authorization(as))), ...headers }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const response = await service.publicApp.inject({ method, url, headers: all, payload })
      if (!response.headers['content-encoding']) expectToMatchContractAt(contract, method, url, response)
      return response
    },
    async browse(query = {}) {
      const url = typeof query === 'string' ? query : `/api/listings?${new URLSearchParams(query)}`
      const response = await harness.request('GET', url)
      const { statusCode, headers } = response
      const body: BrowseResponse['body'] = response.json()
      const ids = Array.isArray(body) ? body.map(({ id }) => String(id)) : []
      const correction = headers['x-search-corrected']
      const corrected = correction === undefined ? null : decodeURIComponent(String(correction))
      return { status: statusCode, total: headers['x-total-count'], link: headers['link'], corrected, ids, body }
    },
    async pages(start) {
      const pages: string[][] = []
      for (let next: Record<string, string> | string | undefined = start; next !== undefined;) {
        const { ids, link } = await harness.browse(next)
        pages.push(ids)
        next = /^<(.+)>; rel="next"$/.exec(String(link))?.[1]
      }
      return pages
    },
    async createListing(change) {
      const listing = makeListing(change)
      await applyEvent(db, ListingCreatedSchema, { listing })
      return listing.id
    },
    changeListing: (listing) => applyEvent(db, ListingChangedSchema, { listing: makeListing(listing) }),
    placeBid: (listingId, amountCents, number = amountCents) =>
      applyEvent(db, BidPlacedSchema, { listingId, amountCents, number: BigInt(number) }),
    setViewCount: (listingId, viewCount) => applyEvent(db, ListingViewedSchema, { listingId, viewCount }),
    query: async (text, values = []) => (await owner.query(text, [...values])).rows,
    async close() {
      await owner.end()
      await db.destroy()
      await service.stop()
      await keys.stop()
      await database.drop()
    },
  }
  return harness
}

async function applyEvent<Desc extends DescMessage>(
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
  if (!handler) throw new Error(`No handler exists for ${event.type}.`)
  await transaction(db, (trx) => handler.apply(trx, [event]))
}
