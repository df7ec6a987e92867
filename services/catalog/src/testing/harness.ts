import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import type { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import type { SalesService } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { openTestPool, testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { randomUser, startTestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSecret, testSettings } from '@marketplace/testing/settings.ts'
import { CompiledQuery } from 'kysely'
import type { CatalogSettings } from '../config.ts'
import type { CatalogTables, Db } from '../db.ts'
import { callApi, startInstance, type ApiResponse, type CallOptions, type Instance } from './instances.ts'
import { applyEvent } from './apply-event.ts'
import { startFakeAuctions, startFakeUsers, type FakeAuctions, type FakeUsers } from './fakes.ts'

export type { ApiResponse, Instance }

type ListingFields = Record<string, unknown>

export interface Harness {
  database: TestDatabase
  db: Db
  settings: CatalogSettings
  auctions: FakeAuctions
  users: FakeUsers
  seller: TestUser
  /** Two instances of the service. Requests go to the first unless `at` names another. */
  first: Instance
  second: Instance
  catalog: Client<typeof CatalogService>
  sales: Client<typeof SalesService>
  call<Body = Record<string, unknown>>(
    method: string,
    url: string,
    options?: CallOptions & { at?: Pick<Instance, 'publicUrl'> | undefined },
  ): Promise<ApiResponse<Body>>
  get<Body = Record<string, unknown>>(url: string, as?: TestUser): Promise<ApiResponse<Body>>
  /** Posts a listing as `seller`, as another user, or without a session (null). */
  postListing(body: unknown, as?: TestUser | null): Promise<ApiResponse>
  /** Creates a fixed-price listing of `seller` and returns its id. */
  createListing(overrides?: ListingFields): Promise<string>
  /** Creates an auction listing of `seller` and returns its id. */
  createAuction(overrides?: ListingFields): Promise<string>
  /** Applies an event with the handlers of its consumers. A repeated event is applied again. */
  applyEvent<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Promise<void>
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  /** Locks the listing's row in a concurrent transaction. Returns a function that commits. */
  lockListing(listingId: string): Promise<() => Promise<void>>
  close(): Promise<void>
}

const dayMs = 24 * 3_600_000
export const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

export const lamp = { title: 'A brass lamp', price: 24.99, category_id: 7 }
export const watch = () => ({
  title: 'A diver’s watch',
  category_id: 5,
  is_auction: true,
  starting_bid: 100,
  auction_end_date: daysFromNow(1),
})

/** Creates a database, two instances of the service, and the fakes of the services it calls. */
export async function createHarness(overrides: Partial<CatalogSettings> = {}): Promise<Harness> {
  const seller = randomUser('Olive')
  const [database, keys, auctions] = await Promise.all([testDatabase('catalog'), startTestKeys(), startFakeAuctions()])
  const users = await startFakeUsers(keys, new Map([[seller.userId, 'Olive']]))
  const urls = { USERS_INTERNAL_URL: users.url, AUCTION_INTERNAL_URL: auctions.url }
  const PICTURES_DIR = await mkdtemp(join(tmpdir(), 'pictures-'))
  const PICTURES_ORIGIN = 'https://pictures.example'
  const store = { PICTURES_DIR, UPLOAD_SECRET: testSecret, PICTURES_ORIGIN, S3_REGION: 'us-east-1' }
  const settings = { ...testSettings(database, keys), ...durations, ...urls, ...store, ...overrides }
  const [first, second] = await Promise.all([startInstance(settings), startInstance(settings)])
  const db = openTestPool<CatalogTables>(database.url)
  const owner = openTestPool<CatalogTables>(database.ownerUrl)

  const harness: Harness = {
    database,
    db,
    settings,
    auctions,
    users,
    seller,
    first,
    second,
    catalog: first.catalog,
    sales: first.sales,
    call: (method, url, { at = first, ...options } = {}) => callApi(at, keys, [method, url, options]),
    get: (url, as) => harness.call('GET', url, { as }),
    postListing: (body, as = seller) => harness.call('POST', '/api/listings', { body, as: as ?? undefined }),
    createListing: (fields = {}) => idOf(harness.postListing({ ...lamp, ...fields })),
    createAuction: (fields = {}) => idOf(harness.postListing({ ...watch(), ...fields })),
    applyEvent: (schema, message) => applyEvent(db, schema, message),
    rows: (text, values = []) => rowsOf(owner, text, values),
    lockListing: (listingId) => lockListing(owner, listingId),
    async close() {
      await Promise.all([owner.destroy(), db.destroy()])
      await Promise.all([first.service.stop(), second.service.stop()])
      await Promise.all([users.stop(), auctions.stop(), keys.stop()])
      await database.drop()
      await rm(PICTURES_DIR, { recursive: true })
    },
  }
  return harness
}

const durations = {
  // These deadlines are longer than the defaults, because the machine of a test run may be busy. Tests of a deadline set
  // a shorter one and let a fake service exceed it.
  OPEN_AUCTION_TIMEOUT_MS: 60_000,
  AUCTIONS_TIMEOUT_MS: 60_000,
  PROFILES_TIMEOUT_MS: 60_000,
  PROFILES_TTL_MS: 60_000,
  MAX_ACTIVE_LISTINGS: 1000,
  MAX_LISTINGS_PER_DAY: 200,
  MAX_EDITS_PER_DAY: 100,
  MAX_FAVORITES: 1000,
  MAX_PENDING_OFFERS: 100,
  MAX_DRAFTS: 20,
  MAX_PICTURES_PER_DAY: 300,
  MAX_UNUSED_PICTURES: 60,
  MAX_PICTURES: 10_000,
  PICTURE_WAIT_MS: 60_000,
  PICTURE_SWEEP_INTERVAL_MS: 100,
  UNUSED_PICTURE_RETENTION_MS: 90 * dayMs,
  NEW_MEMBER_WINDOW_MS: 0,
  MAX_NEW_MEMBER_ACTIVE_LISTINGS: 20,
  MAX_NEW_MEMBER_LISTINGS_PER_DAY: 10,
  OFFER_TTL_MS: 2 * dayMs,
  OFFER_PAYMENT_WINDOW_MS: 2 * dayMs,
  OFFER_SWEEP_INTERVAL_MS: 100,
  OPENING_SWEEP_INTERVAL_MS: 100,
  LISTING_SWEEP_INTERVAL_MS: 100,
  HISTORY_SWEEP_INTERVAL_MS: 100,
  VIEW_FLUSH_INTERVAL_MS: 100,
  VIEW_DEDUP_WINDOW_MS: 1_800_000,
  VIEW_SWEEP_INTERVAL_MS: 100,
  MAX_VIEWS_PER_ADDRESS: 10,
}

async function rowsOf(db: Db, text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const { rows } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))
  return rows
}

async function lockListing(db: Db, listingId: string): Promise<() => Promise<void>> {
  const trx = await db.startTransaction().execute()
  await trx.executeQuery(CompiledQuery.raw('select 1 from listings where id = $1 for update', [listingId]))
  return async () => {
    await trx.commit().execute()
  }
}

async function idOf(response: Promise<ApiResponse>): Promise<string> {
  const { status, body } = await response
  if (status !== 201) throw new Error(`The listing was not created: ${status} ${JSON.stringify(body)}`)
  return String(body['id'])
}
