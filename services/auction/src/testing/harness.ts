import type { Client } from '@connectrpc/connect'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { SalesService } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { readContract } from '@marketplace/testing/contract.ts'
import { waitForBlockedStatements } from '@marketplace/testing/blocked-statements.ts'
import { openTestPool, testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, startTestKeys, type TestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSecret, testSettings } from '@marketplace/testing/settings.ts'
import { CompiledQuery } from 'kysely'
import type { BidDecider } from '../bid/bid-decider.ts'
import type { AuctionSettings } from '../config.ts'
import type { Context } from '../context.ts'
import type { AuctionTables, Db } from '../db.ts'
import { createAuctionService } from '../service.ts'
import { createBidPoster, type ApiResponse, type BidEndpoint } from './post-bid.ts'

/**
 * One instance of the service, with its own connection pool and ports. Closing sweeps, outbox relay and consumers do
 * not run.
 */
export interface Instance {
  service: Service
  publicUrl: string
  auctions: Client<typeof AuctionService>
  sales: Client<typeof SalesService>
  ctx: Context
}

/** Commits a transaction, after a last statement if one is given. */
type Commit = (text?: string, values?: readonly unknown[]) => Promise<void>

type CreateDecider = (ctx: Context) => BidDecider

interface AuctionOverrides {
  listingId?: string
  startingCents?: number
  buyItNowCents?: number
  endAt?: Date
}

export interface Harness {
  database: TestDatabase
  keys: TestKeys
  settings: AuctionSettings
  first: Instance
  second: Instance
  seller: TestUser
  /** Opens an auction of `seller` and returns its listing id. */
  openAuction(overrides?: AuctionOverrides): Promise<string>
  bid(listingId: string, amount: unknown, bidder?: TestUser, at?: BidEndpoint): Promise<ApiResponse>
  /** Places a bid with an Idempotency-Key. */
  keyedBid(
    key: string,
    bid: { listingId: string; amount: number; bidder: TestUser; at?: BidEndpoint },
  ): Promise<ApiResponse>
  /** Moves the end to this many milliseconds from now; negative values lie in the past. */
  setEndIn(listingId: string, milliseconds: number): Promise<void>
  waitUntilClosed(listingId: string): Promise<void>
  /** Locks the auction's row as a concurrent bid would. Returns a function that commits. */
  lockAuction(listingId: string): Promise<Commit>
  /** Runs a statement in a concurrent transaction. Returns a function that commits. */
  runUncommitted(text: string, values: readonly unknown[]): Promise<Commit>
  /** Resolves once at least `count` statements of this database wait for a lock. */
  waitForBlockedStatements(count?: number): Promise<void>
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const dayMs = 24 * 3_600_000

/** Ends the auction $1 now, with the precision of end dates that arrive by RPC. */
export const endNow = `
  update auctions set end_at = date_trunc('milliseconds', clock_timestamp()) where listing_id = $1`

const auctionSettings = {
  CLOSE_INTERVAL_MS: 50,
  CLOSE_OVERDUE_DELAY_MS: 1000,
  WIN_PAYMENT_WINDOW_MS: 2 * dayMs,
  // The following settings have their default values.
  FEE_BASIS_POINTS: 500,
  MAX_CHARGE_CENTS: 99_999_999,
  MAX_FIRST_PURCHASE_EXPOSURE_CENTS: 500_000,
  MAX_STRIKES: 3,
  STRIKE_WINDOW_MS: 90 * dayMs,
  SUSPENSION_MS: 30 * dayMs,
}

/** Creates a database and two instances of the service. `createDecider` replaces the bid decider of production. */
export async function createHarness(createDecider?: CreateDecider): Promise<Harness> {
  const [database, keys] = await Promise.all([testDatabase('auction'), startTestKeys()])
  const settings = { ...testSettings(database, keys), ...auctionSettings }
  const [first, second] = await Promise.all([
    startInstance(settings, createDecider),
    startInstance(settings, createDecider),
  ])
  const admin = openTestPool<AuctionTables>(`${database.adminUrl}?options=-c%20search_path%3Dauction`)
  const seller = randomUser('Olive')
  const postBid = createBidPoster(await readContract('auction'))
  const rows: Harness['rows'] = async (text, values = []) => {
    const { rows: found } = await admin.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))
    return found
  }
  return {
    database,
    keys,
    settings,
    first,
    second,
    seller,
    openAuction: (overrides) => openAuction(first, seller, overrides),
    async bid(listingId, amount, bidder = randomUser(), at = first) {
      return postBid(await keys.authorization(bidder), { listing_id: listingId, amount }, at)
    },
    async keyedBid(key, { listingId, amount, bidder, at = first }) {
      const headers = { ...(await keys.authorization(bidder)), 'idempotency-key': key }
      return postBid(headers, { listing_id: listingId, amount }, at)
    },
    async setEndIn(listingId, milliseconds) {
      // The end date is truncated to milliseconds, because end dates that arrive by RPC have this precision.
      const text = `update auctions
        set end_at = date_trunc('milliseconds', clock_timestamp() + $2 * interval '1 millisecond') where listing_id = $1`
      await rows(text, [listingId, milliseconds])
    },
    async waitUntilClosed(listingId) {
      const text = `select 1 from auctions where listing_id = $1 and state = 'closed'`
      await eventually(async () => (await rows(text, [listingId])).length > 0)
    },
    lockAuction: (listingId) =>
      runUncommitted(admin, 'select 1 from auctions where listing_id = $1 for update', [listingId]),
    runUncommitted: (text, values) => runUncommitted(admin, text, values),
    waitForBlockedStatements: (count) => waitForBlockedStatements(rows, count),
    rows,
    async close() {
      await admin.destroy()
      await Promise.all([stopInstance(first), stopInstance(second)])
      await keys.stop()
      await database.drop()
    },
  }
}

async function openAuction(instance: Instance, seller: TestUser, overrides: AuctionOverrides = {}): Promise<string> {
  const { listingId = newId(), startingCents = 10_000, buyItNowCents, endAt = new Date(Date.now() + dayMs) } = overrides
  const terms = {
    listingId,
    sellerId: seller.userId,
    priceCents: startingCents,
    shippingCents: 450,
    title: 'A watch',
    imageUrl: 'https://pictures.example/watch.jpg',
  }
  const { answer } = await instance.auctions.openAuction({ terms, buyItNowCents, endAt: timestampFromDate(endAt) })
  if (answer.case !== 'auction') throw new Error(`The auction was not opened: ${answer.value ?? 'no result'}`)
  return listingId
}

async function runUncommitted(db: Db, text: string, values: readonly unknown[]): Promise<Commit> {
  const trx = await db.startTransaction().execute()
  await trx.executeQuery(CompiledQuery.raw(text, [...values]))
  return async (last, lastValues = []) => {
    if (last !== undefined) await trx.executeQuery(CompiledQuery.raw(last, [...lastValues]))
    await trx.commit().execute()
  }
}

async function startInstance(settings: AuctionSettings, createDecider?: CreateDecider): Promise<Instance> {
  const service = createAuctionService(settings, createDecider)
  const internalUrl = await service.internalApp.listen({ host: '127.0.0.1', port: 0 })
  const publicUrl = await service.publicApp.listen({ host: '127.0.0.1', port: 0 })
  const log = openLog('auction', 'silent')
  const db = openTestPool<AuctionTables>(settings.DATABASE_URL)
  return {
    service,
    publicUrl,
    auctions: rpcClient(AuctionService, internalUrl, testSecret),
    sales: rpcClient(SalesService, internalUrl, testSecret),
    ctx: { db, log, settings },
  }
}

async function stopInstance({ service, ctx }: Instance): Promise<void> {
  await ctx.db.destroy()
  await service.stop()
}
