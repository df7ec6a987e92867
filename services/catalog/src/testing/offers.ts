import type { TestUser } from '@marketplace/testing/keys.ts'
import type { Answer, Door } from './doors.ts'
import type { Stage } from './stage.ts'

export interface OfferAnswer extends Record<string, unknown> {
  id: string
  status: string
  code: string
  error: string
  details: { path: string; message: string }[]
}

type Verb = 'accept' | 'reject' | 'withdraw' | 'counter'

export function makeOffer(stage: Stage, as: TestUser, body: unknown, at?: Door): Promise<Answer<OfferAnswer>> {
  return stage.call('POST', '/api/offers', { as, body, at })
}

export interface OfferMove {
  as: TestUser
  body?: unknown
  at?: Door
}

export function moveOffer(stage: Stage, id: string, verb: Verb, move: OfferMove): Promise<Answer<OfferAnswer>> {
  return stage.call('POST', `/api/offers/${id}/${verb}`, move)
}

/** An offer of 20 dollars on this listing, by this person. */
export async function offerOn(stage: Stage, listingId: string, buyer: TestUser, amount = 20): Promise<string> {
  const { status, body } = await makeOffer(stage, buyer, { listing_id: listingId, amount })
  if (status !== 201) throw new Error(`Not offered: ${status} ${JSON.stringify(body)}`)
  return body.id
}

export async function offersOf(stage: Stage, as: TestUser): Promise<OfferAnswer[]> {
  return (await stage.call<OfferAnswer[]>('GET', '/api/offers', { as })).body
}

/** The stored offers of a listing, oldest first. */
export async function statusesOf(stage: Stage, listingId: string): Promise<string[]> {
  const rows = await stage.rows('select made_by, status from offers where listing_id = $1 order by created_at, id', [
    listingId,
  ])
  return rows.map((row) => `${String(row['made_by'])} ${String(row['status'])}`)
}

/** Who has the listing's item now. */
export function liveHoldsOf(stage: Stage, listingId: string): Promise<Record<string, unknown>[]> {
  const text = `select sale_id, buyer_id, offer_id, state, price_cents from holds where listing_id = $1 and state <> 'released'`
  return stage.rows(text, [listingId])
}

/** The events of accepted offers on a listing. */
export async function acceptancesOf(stage: Stage, listingId: string): Promise<Record<string, unknown>[]> {
  const text = `select payload from outbox where key = $1 and type like '%OfferAccepted' order by seq`
  return (await stage.rows(text, [listingId])).map((row) => Object(row['payload']))
}
