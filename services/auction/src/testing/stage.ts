import type { Client } from '@connectrpc/connect'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { SalesService } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { readContract } from '@marketplace/testing/contract.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone, startTestKeys, type TestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSecret, testSettings } from '@marketplace/testing/settings.ts'
import { CompiledQuery } from 'kysely'
import type { AuctionSettings } from '../config.ts'
import type { Context } from '../context.ts'
import type { AuctionTables, Db } from '../db.ts'
import { createAuctionService } from '../service.ts'
import { bidPoster, type Answer, type Door } from './post-bid.ts'

/** One process's worth of the service: its own pool, its apps on free ports; no closers, relay or consumers. */
export interface Instance {
  service: Service
  publicUrl: string
  auctions: Client<typeof AuctionService>
  sales: Client<typeof SalesService>
  ctx: Context
}

interface TermsChange {
  listingId?: string
  startingCents?: number
  buyItNowCents?: number
  endAt?: Date
}

export interface Stage {
  database: TestDatabase
  keys: TestKeys
  settings: AuctionSettings
  first: Instance
  second: Instance
  seller: TestUser
  /** Opens an auction of the seller's and answers its listing id. */
  openAuction(change?: TermsChange): Promise<string>
  bid(listingId: string, amount: unknown, bidder?: TestUser, at?: Door): Promise<Answer>
  /** The same with an Idempotency-Key. */
  keyedBid(key: string, bid: { listingId: string; amount: number; bidder: TestUser; at?: Door }): Promise<Answer>
  /** Moves the end: past when negative. */
  endIn(listingId: string, milliseconds: number): Promise<void>
  /** Resolves once the auction is closed, by whomever. */
  isClosed(listingId: string): Promise<void>
  /** Holds the auction's row as a bid's transaction would; answers how to commit. */
  lock(listingId: string): Promise<() => Promise<void>>
  /** Runs a statement in a transaction of somebody else's; answers how to commit. */
  during(text: string, values: readonly unknown[]): Promise<() => Promise<void>>
  /** Resolves once so many statements of this database wait for a lock. */
  someoneWaits(count?: number): Promise<void>
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const dayMs = 24 * 3_600_000

export async function setStage(): Promise<Stage> {
  const [database, keys] = await Promise.all([testDatabase('auction'), startTestKeys()])
  const settings = {
    ...testSettings(database, keys),
    CLOSE_EVERY_MS: 50,

    CLOSE_OVERDUE_MS: 1000,
    WIN_DUE_MS: 2 * dayMs,
  }
  const [first, second] = await Promise.all([startInstance(settings), startInstance(settings)])
  const admin = openDatabase<AuctionTables>(`${database.adminUrl}?options=-c%20search_path%3Dauction`, () => undefined)
  const seller = someone('Olive')
  const postBid = bidPoster(await readContract('auction'))
  const rows: Stage['rows'] = async (text, values = []) => {
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
    openAuction: (change) => openAuction(first, seller, change),
    async bid(listingId, amount, bidder = someone(), at = first) {
      return postBid(await keys.authorization(bidder), { listing_id: listingId, amount }, at)
    },
    async keyedBid(key, { listingId, amount, bidder, at = first }) {
      const headers = { ...(await keys.authorization(bidder)), 'idempotency-key': key }
      return postBid(headers, { listing_id: listingId, amount }, at)
    },
    async endIn(listingId, milliseconds) {
      // Whole milliseconds, as every end that came over a call: the rules compare no finer.
      const text = `update auctions
        set end_at = date_trunc('milliseconds', clock_timestamp() + $2 * interval '1 millisecond') where listing_id = $1`
      await rows(text, [listingId, milliseconds])
    },
    async isClosed(listingId) {
      const text = `select 1 from auctions where listing_id = $1 and state = 'closed'`
      await eventually(async () => (await rows(text, [listingId])).length > 0)
    },
    lock: (listingId) => during(admin, 'select 1 from auctions where listing_id = $1 for update', [listingId]),
    during: (text, values) => during(admin, text, values),
    async someoneWaits(count = 1) {
      const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await eventually(async () => (await rows(text)).length >= count)
    },
    rows,
    async close() {
      await admin.destroy()
      await Promise.all([stopInstance(first), stopInstance(second)])
      await keys.stop()
      await database.drop()
    },
  }
}

async function openAuction(instance: Instance, seller: TestUser, change: TermsChange = {}): Promise<string> {
  const { listingId = newId(), startingCents = 10_000, buyItNowCents, endAt = new Date(Date.now() + dayMs) } = change
  const terms = {
    listingId,
    sellerId: seller.userId,
    priceCents: startingCents,
    shippingCents: 450,
    title: 'A watch',
    imageUrl: 'https://pictures.example/watch.jpg',
  }
  const { answer } = await instance.auctions.openAuction({ terms, buyItNowCents, endAt: timestampFromDate(endAt) })
  if (answer.case !== 'auction') throw new Error(`Not opened: ${answer.value ?? 'no answer'}`)
  return listingId
}

async function during(db: Db, text: string, values: readonly unknown[]): Promise<() => Promise<void>> {
  const trx = await db.startTransaction().execute()
  await trx.executeQuery(CompiledQuery.raw(text, [...values]))
  return async () => {
    await trx.commit().execute()
  }
}

async function startInstance(settings: AuctionSettings): Promise<Instance> {
  const service = createAuctionService(settings)
  const internalUrl = await service.internalApp.listen({ host: '127.0.0.1', port: 0 })
  const publicUrl = await service.publicApp.listen({ host: '127.0.0.1', port: 0 })
  const log = openLog('auction', 'silent')
  const db = openDatabase<AuctionTables>(settings.DATABASE_URL, () => undefined)
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
