import { transaction } from '@marketplace/kit/db.ts'
import { findAnswers, isKnownKey, storeAnswers, type NewAnswer } from '@marketplace/kit/idempotency-answers.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { counter } from '@marketplace/kit/metrics.ts'
import { judgeBids, type Auction, type Bid, type Judged } from '../auction/auction.ts'
import { bidPlaced } from '../auction/auctions.events.ts'
import { lockAuction } from '../auction/auctions.repo.ts'
import { endLocked, logEndings, type Endings } from '../auction/close-auctions.ts'
import type { Context } from '../context.ts'
import type { AuctionTables, Trx } from '../db.ts'
import { findFixedPriceListing } from '../listing/fixed-price-listings.repo.ts'
import { answerKnown, answerPlaced, answerRefused, answerWithoutAuction } from './bid-answers.ts'
import { bodyWithoutTime, refusalError, type BidAnswer, type BidBody } from './bid-answers.ts'
import { maskBidder } from './bidder.ts'
import { saveBidding, saveExpectedBidding, type Bidding } from './bids.repo.ts'
import type { AuctionAt, ExpectedAuctions } from './expected-auctions.ts'
import { sortOutKeys, type Turn } from './keyed-bids.ts'
import type { PlaceBid } from './place-bid.ts'

export interface Group {
  listingId: string
  bids: readonly PlaceBid[]
}

/** What a group came to, in the bids' order. */
export interface Decision {
  answers: BidAnswer[]
  /** After the group, at this instant of the database's clock; null where there is no auction. */
  after: AuctionAt | null
}

interface Outcome {
  answers: ReadonlyMap<PlaceBid, BidAnswer>
  /** As it was locked. */
  before: Auction | null
  after: Decision['after']
  endings: Endings
}

interface Candidate extends Bid {
  command: PlaceBid
}

/** A key of the group was taken meanwhile by a bid on another auction. */
class KeyTaken extends Error {}

const decisions = counter(
  'auction_decisions_total',
  'Groups of bids, by whether they were judged ahead or under the lock.',
  ['way'],
)

/**
 * Decides a group of bids of one auction in one transaction, each as of its place in the order. Where the auction is
 * expected to be as this process left it, that is a single statement, which stores nothing if it is not.
 */
export async function decideBids(ctx: Context, group: Group, expected: ExpectedAuctions): Promise<Decision> {
  return (await decideAhead(ctx, group, expected)) ?? decideLocked(ctx, group, expected)
}

/** Null when only the lock can tell: nothing is expected or accepted, the auction is another, or a key is known. */
async function decideAhead(ctx: Context, group: Group, expected: ExpectedAuctions): Promise<Decision | null> {
  const before = expected.of(group.listingId)
  if (!before) return null
  const turns = sortOutKeys<PlaceBid, BidBody>(group.bids, new Map())
  // As of an instant before: whether the end has come since is for the statement to see.
  const judged = judgeBids(before.auction, candidatesOf(turns), before.now)
  const bidding = toBidding(judged)
  if (!bidding) return null
  // Now and not once it is stored: the next group is judged meanwhile, and its statement waits for the row.
  expected.expect({ auction: bidding.auction, now: before.now })
  const keyed = judged.flatMap(toNewAnswer)
  const now = await saveExpectedBidding(ctx.db, { before: before.auction, bidding, keyed }).catch((error: unknown) => {
    expected.doubt(group.listingId)
    if (isKnownKey(error)) return null
    throw error
  })
  decisions.inc({ way: now ? 'ahead' : 'missed' })
  if (!now) return null
  const answers = new Map(judged.map((one) => [one.bid.command, toAnswer(one, now)]))
  logPlaced(ctx, answers)
  return { answers: answersOf(turns, answers), after: { auction: bidding.auction, now } }
}

async function decideLocked(ctx: Context, group: Group, expected: ExpectedAuctions): Promise<Decision> {
  expected.doubt(group.listingId)
  decisions.inc({ way: 'locked' })
  try {
    const { outcome, answers } = await transaction(ctx.db, (trx) => decide(ctx, trx, group))
    const { before, after } = outcome
    if (before && after) expected.note(before, after)
    logPlaced(ctx, outcome.answers)
    logEndings(ctx, outcome.endings)
    return { answers, after }
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error
    // The other's answer is committed, so that this time it is found.
    return decideLocked(ctx, group, expected)
  }
}

async function decide(ctx: Context, trx: Trx, { listingId, bids }: Group) {
  const { auction, now } = await lockAuction(trx, listingId)
  const keys = bids.flatMap(({ keyed }) => keyed ?? [])
  // After the lock: what another process answered while this one waited is found.
  const turns = sortOutKeys(bids, await findAnswers<AuctionTables, BidBody>(trx, keys))
  const candidates = candidatesOf(turns)
  const outcome = auction
    ? await judge(ctx, trx, { auction, candidates, now })
    : await refuseAll(trx, listingId, candidates)
  await keepKeyed(trx, outcome)
  return { outcome, answers: answersOf(turns, outcome.answers) }
}

async function judge(
  ctx: Context,
  trx: Trx,
  { auction, candidates, now }: { auction: Auction; candidates: readonly Candidate[]; now: Date },
): Promise<Outcome> {
  const judged = judgeBids(auction, candidates, now)
  const bidding = toBidding(judged)
  if (bidding) await saveBidding(trx, bidding, now)
  const after = bidding?.auction ?? auction
  const endings = await endLocked(trx, [after], { now, dueAfterMs: ctx.settings.WIN_DUE_MS })
  const answers = new Map(judged.map((one) => [one.bid.command, toAnswer(one, now)]))
  return { answers, before: auction, after: { auction: after, now }, endings }
}

async function refuseAll(trx: Trx, listingId: string, candidates: readonly Candidate[]): Promise<Outcome> {
  const listing = await findFixedPriceListing(trx, listingId)
  const answers = new Map(candidates.map(({ command }) => [command, answerWithoutAuction(command, listing)]))
  return { answers, before: null, after: null, endings: { closings: [], settling: [] } }
}

async function keepKeyed(trx: Trx, { answers }: Outcome): Promise<void> {
  const keyed = [...answers].flatMap(([bid, answer]) => (bid.keyed === null ? [] : { keyed: bid.keyed, answer }))
  const taken = await storeAnswers(trx, keyed)
  if (taken.size > 0) throw new KeyTaken()
}

/** The bids to judge, each once however often its key comes. */
function candidatesOf(turns: readonly Turn<PlaceBid, BidBody>[]): Candidate[] {
  const bids = new Set(turns.flatMap((turn) => (turn.kind === 'judged' ? turn.bid : [])))
  return [...bids].map((command) => ({ id: newId(), bidderId: command.bidderId, amount: command.amount, command }))
}

function answersOf(turns: readonly Turn<PlaceBid, BidBody>[], answers: Outcome['answers']): BidAnswer[] {
  return turns.map((turn) => (turn.kind === 'known' ? answerKnown(turn.known) : found(answers.get(turn.bid))))
}

/** What is to be stored; null when no bid is accepted. */
function toBidding(judged: readonly Judged<Candidate>[]): Bidding | null {
  const accepted = judged.filter(({ verdict }) => verdict.kind === 'accepted')
  const auction = accepted.at(-1)?.verdict.auction
  if (!auction) return null
  const bids = accepted.map(({ bid, verdict }) => ({
    ...bid,
    number: verdict.auction.number,
    maskedBidder: maskBidder(bid.command.bidderName),
  }))
  const events = accepted.map(({ bid, verdict }) => ({
    ...bidPlaced(verdict.auction, bid),
    traceparent: bid.command.traceparent,
  }))
  return { auction, bids, events }
}

function toAnswer({ bid, verdict }: Judged<Candidate>, now: Date): BidAnswer {
  if (verdict.kind === 'accepted') return answerPlaced({ bid, auction: verdict.auction }, now)
  return answerRefused(refusalError(verdict.refusal, verdict.auction))
}

/** A keyed bid's answer, before its time is known. */
function toNewAnswer({ bid, verdict }: Judged<Candidate>): NewAnswer[] {
  const { keyed } = bid.command
  if (keyed === null) return []
  const { auction } = verdict
  if (verdict.kind === 'accepted') return [{ keyed, status: 201, body: bodyWithoutTime({ bid, auction }) }]
  const { status, body } = answerRefused(refusalError(verdict.refusal, auction))
  return [{ keyed, status, body }]
}

function found(answer: BidAnswer | undefined): BidAnswer {
  if (!answer) throw new Error('A bid was left without an answer.')
  return answer
}

function logPlaced(ctx: Context, answers: Outcome['answers']): void {
  for (const answer of answers.values()) {
    if (!answer.isRefusal) ctx.log.info({ listingId: answer.body.listing_id, bidId: answer.body.id }, 'bid placed')
  }
}
