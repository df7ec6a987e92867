import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, MarketplaceClient } from '@marketplace/dev/client.ts'
import type { JournalEntry } from '@marketplace/dev/invariants/journal.ts'
import { payByCard, type Intent } from '../src/people.ts'
import type { TestStack } from '../src/stack.ts'
import { enter } from './enter.ts'

/** How often a race is run: a short form for every day, more with RACE_ROUNDS. */
export const rounds = Number(process.env['RACE_ROUNDS'] ?? 20)
const atOnce = 10
const pauseMs = 20

export type Told<Body = unknown> = Answer<Body & { code?: string }>

export interface Racers {
  seller: MarketplaceClient
  alice: MarketplaceClient
  bob: MarketplaceClient
  carol: MarketplaceClient
}

export interface Round {
  nth: number
  /** What was answered for certain: the checker looks for it. */
  journal: JournalEntry[]
  note(kind: 'paid' | 'cancelled', intent: Intent, listingId: string): void
}

export async function meet(stack: TestStack): Promise<Racers> {
  const client = async (name: string) => (await enter(stack, name)).client
  const [seller, alice, bob, carol] = await Promise.all([
    client('sally'),
    client('alice'),
    client('bob'),
    client('carol'),
  ])
  return { seller, alice, bob, carol }
}

/** Runs the rounds of a race, several side by side; answers what was acknowledged, and how the rounds ended. */
export async function race(play: (round: Round) => Promise<string>) {
  const journal: JournalEntry[] = []
  const note: Round['note'] = (kind, { payment_intent_id: intentId }, listingId) =>
    journal.push({ kind, intentId, listingId, startedAt: Date.now(), endedAt: Date.now() })
  const endings: string[] = []
  for (let start = 0; start < rounds; start += atOnce) {
    const side = Array.from({ length: atOnce }, (_, index) => play({ nth: start + index, journal, note }))
    endings.push(...(await Promise.all(side)))
  }
  return { journal, endings: [...new Set(endings)].toSorted() }
}

/** `201`, or a refusal with its code. */
export function told({ status, body }: Told): string {
  return status < 300 ? `${status}` : `${status} ${body.code}`
}

/** Asks again while another has the item and nobody has won it yet: rivals meet at the moment it comes free. */
export async function insist<Body>(ask: () => Promise<Told<Body>>, isOver: () => boolean): Promise<Told<Body>> {
  for (;;) {
    const answer = await ask()
    const isLater = answer.status === 503 || (!isOver() && told(answer) === '409 reserved')
    if (!isLater) return answer
    await sleep(Math.random() * pauseMs)
  }
}

/** Asks again while a neighbour is too busy to answer: nothing of that kind happens twice. */
export function patiently<Body>(ask: () => Promise<Told<Body>>): Promise<Told<Body>> {
  return insist(ask, () => true)
}

export function checkOut(buyer: MarketplaceClient, listingId: string, type: string): Promise<Told<Intent>> {
  const body = { listing_id: listingId, transaction_type: type }
  return patiently(() => buyer.send('POST', '/api/payments/create-intent', body))
}

export function settle(buyer: MarketplaceClient, verb: 'confirm' | 'cancel', intent: Intent): Promise<Told> {
  const body = { payment_intent_id: intent.payment_intent_id }
  return patiently(() => buyer.send('POST', `/api/payments/${verb}`, body))
}

/** Whether the card was charged: an intent that was cancelled before takes nothing. */
export async function charge(buyer: MarketplaceClient, intent: Intent): Promise<boolean> {
  for (;;) {
    const failure = await payByCard(buyer, intent).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    if (failure === undefined) return true
    if (failure.includes('payment_intent_unexpected_state')) return false
    if (!failure.includes('answered 503')) throw new Error(failure)
  }
}
