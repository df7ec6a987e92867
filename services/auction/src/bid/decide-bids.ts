import { transaction } from '@marketplace/kit/db.ts'
import { findAnswers, storeAnswers } from '@marketplace/kit/idempotency-answers.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { judgeBids, type Auction, type Bid, type Judged } from '../auction/auction.ts'
import { bidPlaced } from '../auction/auctions.events.ts'
import { lockAuction } from '../auction/auctions.repo.ts'
import { endLocked, logEndings, type Endings } from '../auction/close-auctions.ts'
import type { Context } from '../context.ts'
import type { AuctionTables, Trx } from '../db.ts'
import { findFixedPriceListing } from '../listing/fixed-price-listings.repo.ts'
import { answerKnown, answerPlaced, answerRefused, answerWithoutAuction, refusalError } from './bid-answers.ts'
import type { BidAnswer, BidBody } from './bid-answers.ts'
import { maskBidder } from './bidder.ts'
import { saveBidding } from './bids.repo.ts'
import { sortOutKeys } from './keyed-bids.ts'
import type { PlaceBid } from './place-bid.ts'

export interface Group {
  listingId: string
  bids: readonly PlaceBid[]
}

/** What a group came to, in the bids' order. */
export interface Decision {
  answers: BidAnswer[]
  /** After the group, at this instant of the database's clock; null where there is no auction. */
  after: { auction: Auction; now: Date } | null
}

interface Outcome {
  answers: ReadonlyMap<PlaceBid, BidAnswer>
  after: Decision['after']
  endings: Endings
}

interface Candidate extends Bid {
  command: PlaceBid
}

/** A key of the group was taken meanwhile by a bid on another auction. */
class KeyTaken extends Error {}

/** Decides a group of bids of one auction in one transaction, each as of its place in the order. */
export async function decideBids(ctx: Context, group: Group): Promise<Decision> {
  try {
    const { outcome, answers } = await transaction(ctx.db, (trx) => decide(ctx, trx, group))
    logOutcome(ctx, outcome)
    return { answers, after: outcome.after }
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error
    // The other's answer is committed, so that this time it is found.
    return decideBids(ctx, group)
  }
}

async function decide(ctx: Context, trx: Trx, { listingId, bids }: Group) {
  const { auction, now } = await lockAuction(trx, listingId)
  const keys = bids.flatMap(({ keyed }) => keyed ?? [])
  // After the lock: what another process answered while this one waited is found.
  const turns = sortOutKeys(bids, await findAnswers<AuctionTables, BidBody>(trx, keys))
  const judged = new Set(turns.flatMap((turn) => (turn.kind === 'judged' ? turn.bid : [])))
  const outcome = auction
    ? await judge(ctx, trx, { auction, bids: [...judged], now })
    : await refuseAll(trx, listingId, judged)
  await keepKeyed(trx, outcome)
  const answers = turns.map((turn) =>
    turn.kind === 'known' ? answerKnown(turn.known) : found(outcome.answers.get(turn.bid)),
  )
  return { outcome, answers }
}

async function judge(
  ctx: Context,
  trx: Trx,
  { auction, bids, now }: { auction: Auction; bids: readonly PlaceBid[]; now: Date },
): Promise<Outcome> {
  const candidates: Candidate[] = bids.map((command) => ({ ...toBid(command), command }))
  const judged = judgeBids(auction, candidates, now)
  const after = judged.at(-1)?.verdict.auction ?? auction
  await save(trx, judged, now)
  const endings = await endLocked(trx, [after], { now, dueAfterMs: ctx.settings.WIN_DUE_MS })
  const answers = new Map(judged.map((one) => [one.bid.command, toAnswer(one, now)]))
  return { answers, after: { auction: after, now }, endings }
}

async function save(trx: Trx, judged: readonly Judged<Candidate>[], now: Date): Promise<void> {
  const accepted = judged.filter(({ verdict }) => verdict.kind === 'accepted')
  const after = accepted.at(-1)?.verdict.auction
  if (!after) return
  const bids = accepted.map(({ bid, verdict }) => ({
    ...bid,
    number: verdict.auction.number,
    maskedBidder: maskBidder(bid.command.bidderName),
    placedAt: now,
  }))
  const events = accepted.map(({ bid, verdict }) => ({
    ...bidPlaced(verdict.auction, bid, now),
    traceparent: bid.command.traceparent,
  }))
  await saveBidding(trx, { auction: after, bids, events })
}

async function refuseAll(trx: Trx, listingId: string, bids: ReadonlySet<PlaceBid>): Promise<Outcome> {
  const listing = await findFixedPriceListing(trx, listingId)
  const answers = new Map([...bids].map((bid) => [bid, answerWithoutAuction(bid, listing)]))
  return { answers, after: null, endings: { closings: [], settling: [] } }
}

async function keepKeyed(trx: Trx, { answers }: Outcome): Promise<void> {
  const keyed = [...answers].flatMap(([bid, answer]) => (bid.keyed === null ? [] : { keyed: bid.keyed, answer }))
  const taken = await storeAnswers(trx, keyed)
  if (taken.size > 0) throw new KeyTaken()
}

function toBid({ bidderId, amount }: PlaceBid): Bid {
  return { id: newId(), bidderId, amount }
}

function toAnswer({ bid, verdict }: Judged<Candidate>, now: Date): BidAnswer {
  if (verdict.kind === 'accepted') return answerPlaced({ bid, placedAt: now, auction: verdict.auction })
  return answerRefused(refusalError(verdict.refusal, verdict.auction))
}

function found(answer: BidAnswer | undefined): BidAnswer {
  if (!answer) throw new Error('A bid was left without an answer.')
  return answer
}

function logOutcome(ctx: Context, { answers, endings }: Outcome): void {
  for (const answer of answers.values()) {
    if (!answer.isRefusal) ctx.log.info({ listingId: answer.body.listing_id, bidId: answer.body.id }, 'bid placed')
  }
  logEndings(ctx, endings)
}
