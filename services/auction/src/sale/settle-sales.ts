import { databaseTime } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { Closing } from '../auction/auction.ts'
import { lockAuctions } from '../auction/auctions.repo.ts'
import { recordClosings } from '../auction/close-auctions.ts'
import { recordStrikes, type StrikeLimits } from '../bidder/strikes.ts'
import { lockStrikes, type Strike } from '../bidder/strikes.repo.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { findHoldsOfSales, insertReleasedSales, saveSettledHolds } from './holds.repo.ts'
import { evaluateSettlements, type SettleRequest, type Settlement } from './settlement.ts'

export interface SettleSettings extends StrikeLimits, Pick<Context['settings'], 'WIN_PAYMENT_WINDOW_MS'> {}

export interface SettleResult {
  /** One per request, in the same order. */
  settlements: Settlement[]
  closings: Closing[]
}

/**
 * Marks the holds of sales as sold or released. Closes an auction if its buy-it-now price was paid, or if it has ended
 * and was waiting for an open checkout. Repeated requests change nothing.
 */
export async function settleSales(
  trx: Trx,
  requests: readonly SettleRequest[],
  settings: SettleSettings,
): Promise<SettleResult> {
  const unpaidWins = await lockStrikesOfUnpaidWins(trx, requests)
  const auctions = await lockAuctions(
    trx,
    requests.map(({ listingId }) => listingId),
  )
  const saleIds = requests.map(({ saleId }) => saleId)
  const known = { auctions, holds: await findHoldsOfSales(trx, saleIds) }
  const sale = { newId, dueAfterMs: settings.WIN_PAYMENT_WINDOW_MS }
  const result = evaluateSettlements(requests, known, { sale, now: await databaseTime(trx) })
  const { settlements, settled, unknownReleased, closings } = result
  if (unknownReleased.length > 0) await insertReleasedSales(trx, unknownReleased)
  if (settled.length > 0) await saveSettledHolds(trx, settled)
  const released = new Set(settled.filter(({ state }) => state === 'released').map(({ saleId }) => saleId))
  const strikes = unpaidWins.filter(({ saleId }) => released.has(saleId))
  await recordStrikes(trx, strikes, settings)
  await recordClosings(trx, closings)
  return { settlements, closings }
}

/** Returns one new strike per unpaid win and locks the existing strikes of the winners. */
async function lockStrikesOfUnpaidWins(trx: Trx, requests: readonly SettleRequest[]): Promise<Strike[]> {
  const unpaid = requests.filter(({ outcome, reason }) => outcome === 'released' && reason === 'unpaid')
  if (unpaid.length === 0) return []
  const saleIds = unpaid.map(({ saleId }) => saleId)
  // The buyer and the type of a hold never change, so holds can be read before the auctions' rows are locked.
  const holds = await findHoldsOfSales(trx, saleIds)
  const strikes = holds
    .filter(({ saleType }) => saleType === 'auction_win')
    .map(({ saleId, buyerId }) => ({ saleId, userId: buyerId }))
  await lockStrikes(
    trx,
    strikes.map(({ userId }) => userId),
  )
  return strikes
}
