import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import type { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import type { SalesService } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { someone, startTestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import { CompiledQuery } from 'kysely'
import type { CatalogSettings } from '../config.ts'
import type { CatalogTables, Db } from '../db.ts'
import { callAt, openDoor, type Answer, type Call, type Door } from './doors.ts'
import { applyEvent } from './events.ts'
import { startFakeAuctions, startFakeUsers, type FakeAuctions } from './neighbours.ts'

export type { Answer, Door }

export interface Stage {
  database: TestDatabase
  db: Db
  settings: CatalogSettings
  auctions: FakeAuctions
  seller: TestUser
  /** Two processes' worth of the service; calls go to the first unless they say where. */
  first: Door
  second: Door
  catalog: Client<typeof CatalogService>
  sales: Client<typeof SalesService>
  call<Body = Record<string, unknown>>(
    method: string,
    url: string,
    call?: Call & { at?: Pick<Door, 'publicUrl'> | undefined },
  ): Promise<Answer<Body>>
  get<Body = Record<string, unknown>>(url: string, as?: TestUser): Promise<Answer<Body>>
  /** Posts a listing, the seller's unless it says whose. */
  post(body: unknown, as?: TestUser | null): Promise<Answer>
  /** A listing of the seller's and its id. */
  list(change?: Record<string, unknown>): Promise<string>
  auction(change?: Record<string, unknown>): Promise<string>
  /** Applies an event as its consumer does, each time anew. */
  deliver<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Promise<void>
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  /** Locks the listing's row as somebody else's transaction would; answers how to commit. */
  lock(listingId: string): Promise<() => Promise<void>>
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

export async function setStage(change: Partial<CatalogSettings> = {}): Promise<Stage> {
  const seller = someone('Olive')
  const [database, keys, auctions] = await Promise.all([testDatabase('catalog'), startTestKeys(), startFakeAuctions()])
  const users = await startFakeUsers(keys, new Map([[seller.userId, 'Olive']]))
  const urls = { USERS_INTERNAL_URL: users.url, AUCTION_INTERNAL_URL: auctions.url }
  const settings = { ...testSettings(database, keys), ...durations, ...urls, ...change }
  const [first, second] = await Promise.all([openDoor(settings), openDoor(settings)])
  const db = openDatabase<CatalogTables>(database.url, () => undefined)
  const owner = openDatabase<CatalogTables>(database.ownerUrl, () => undefined)

  const stage: Stage = {
    database,
    db,
    settings,
    auctions,
    seller,
    first,
    second,
    catalog: first.catalog,
    sales: first.sales,
    call: (method, url, { at = first, ...call } = {}) => callAt(at, keys, [method, url, call]),
    get: (url, as) => stage.call('GET', url, { as }),
    post: (body, as = seller) => stage.call('POST', '/api/listings', { body, as: as ?? undefined }),
    list: (change = {}) => idOf(stage.post({ ...lamp, ...change })),
    auction: (change = {}) => idOf(stage.post({ ...watch(), ...change })),
    deliver: (schema, message) => applyEvent(db, schema, message),
    rows: (text, values = []) => rowsOf(owner, text, values),
    lock: (listingId) => lockListing(owner, listingId),
    async close() {
      await Promise.all([owner.destroy(), db.destroy()])
      await Promise.all([first.service.stop(), second.service.stop()])
      await Promise.all([users.stop(), auctions.stop(), keys.stop()])
      await database.drop()
    },
  }
  return stage
}

const durations = {
  OPEN_AUCTION_MS: 2000,
  // The machine of a test run may be busy; what a deadline does is tested with a neighbour that never answers.
  READ_AUCTIONS_MS: 1000,
  READ_PROFILES_MS: 3000,
  KEEP_PROFILES_MS: 60_000,
  OFFER_TTL_MS: 2 * dayMs,
  OFFER_DUE_MS: 2 * dayMs,
  SWEEP_OFFERS_MS: 100,
  FLUSH_VIEWS_MS: 100,
  REPEAT_VIEW_MS: 1_800_000,
  SWEEP_VIEWS_MS: 100,
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

async function idOf(posting: Promise<Answer>): Promise<string> {
  const { status, body } = await posting
  if (status !== 201) throw new Error(`Not created: ${status} ${JSON.stringify(body)}`)
  return String(body['id'])
}
