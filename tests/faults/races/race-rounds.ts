import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse, MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { JournalEntry } from '@marketplace/ops/invariants/journal.ts'
import { payByCard, type Intent } from '../../support/processes/people.ts'
import type { TestStack } from '../../support/processes/stack.ts'
import { signInUser } from '../load/sign-in-user.ts'

/** The number of rounds of a race: few by default, more with RACE_ROUNDS. */
export const rounds = Number(process.env['RACE_ROUNDS'] ?? 20)
const concurrency = 10
const pauseMs = 20

export type RaceResponse<Body = unknown> = ApiResponse<Body & { code?: string }>

export interface Racers {
  seller: MarketplaceClient
  alice: MarketplaceClient
  bob: MarketplaceClient
  carol: MarketplaceClient
}

export interface Round {
  nth: number
  /** Acknowledged writes, which the checker compares with the database. */
  journal: JournalEntry[]
  note(kind: 'paid' | 'cancelled', intent: Intent, listingId: string): void
}

export async function signInRacers(stack: TestStack): Promise<Racers> {
  const client = async (name: string) => (await signInUser(stack, name)).client
  const [seller, alice, bob, carol] = await Promise.all([
    client('sally'),
    client('alice'),
    client('bob'),
    client('carol'),
  ])
  return { seller, alice, bob, carol }
}

/** Runs the rounds of a race, ten concurrently; returns the journal and the distinct outcomes. */
export async function race(play: (round: Round) => Promise<string>) {
  const journal: JournalEntry[] = []
  const note: Round['note'] = (kind, { payment_intent_id: intentId }, listingId) =>
    journal.push({ kind, intentId, listingId, startedAt: Date.now(), endedAt: Date.now() })
  const endings: string[] = []
  for (let start = 0; start < rounds; start += concurrency) {
    const side = Array.from({ length: concurrency }, (_, index) => play({ nth: start + index, journal, note }))
    endings.push(...(await Promise.all(side)))
  }
  return { journal, endings: [...new Set(endings)].toSorted() }
}

/** Returns `201`, or the status of a rejection with its code. */
export function outcomeOf({ status, body }: RaceResponse): string {
  return status < 300 ? `${status}` : `${status} ${body.code}`
}

/**
 * Retries while another buyer has reserved the item and the race is open, so that rivals meet when it becomes
 * available.
 */
export async function retryWhileReserved<Body>(
  send: () => Promise<RaceResponse<Body>>,
  isOver: () => boolean,
): Promise<RaceResponse<Body>> {
  for (;;) {
    const response = await send()
    const isLater = response.status === 503 || (!isOver() && outcomeOf(response) === '409 reserved')
    if (!isLater) return response
    await sleep(Math.random() * pauseMs)
  }
}

/** Retries while an upstream is unavailable (503). Rejected requests have no effect. */
export function retryWhileUnavailable<Body>(send: () => Promise<RaceResponse<Body>>): Promise<RaceResponse<Body>> {
  return retryWhileReserved(send, () => true)
}

export function checkOut(buyer: MarketplaceClient, listingId: string, type: string): Promise<RaceResponse<Intent>> {
  const body = { listing_id: listingId, transaction_type: type }
  return retryWhileUnavailable(() => buyer.send('POST', '/api/payments/create-intent', body))
}

export function settle(buyer: MarketplaceClient, verb: 'confirm' | 'cancel', intent: Intent): Promise<RaceResponse> {
  const body = { payment_intent_id: intent.payment_intent_id }
  return retryWhileUnavailable(() => buyer.send('POST', `/api/payments/${verb}`, body))
}

/** Returns whether the card was charged: a cancelled intent cannot be paid. */
export async function charge(buyer: MarketplaceClient, intent: Intent): Promise<boolean> {
  for (;;) {
    const failure = await payByCard(buyer, intent).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    if (failure === undefined) return true
    if (failure.includes('payment_intent_unexpected_state')) return false
    if (!failure.includes('responded 503')) throw new Error(failure)
  }
}
