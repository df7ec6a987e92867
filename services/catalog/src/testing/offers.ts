import type { TestUser } from '@marketplace/testing/keys.ts'
import type { ApiResponse, Instance } from './instances.ts'
import type { Harness } from './harness.ts'

export interface OfferResponse extends Record<string, unknown> {
  id: string
  status: string
  code: string
  error: string
  details: { path: string; message: string }[]
}

type Verb = 'accept' | 'reject' | 'withdraw' | 'counter'

export function postOffer(
  harness: Harness,
  as: TestUser,
  body: unknown,
  at?: Instance,
): Promise<ApiResponse<OfferResponse>> {
  return harness.call('POST', '/api/offers', { as, body, at })
}

export interface OfferAction {
  as: TestUser
  body?: unknown
  at?: Instance
}

export function actOnOffer(
  harness: Harness,
  id: string,
  verb: Verb,
  action: OfferAction,
): Promise<ApiResponse<OfferResponse>> {
  return harness.call('POST', `/api/offers/${id}/${verb}`, action)
}

/** Makes an offer on a listing, 20 dollars by default, and returns its id. */
export async function createOffer(harness: Harness, listingId: string, buyer: TestUser, amount = 20): Promise<string> {
  const { status, body } = await postOffer(harness, buyer, { listing_id: listingId, amount })
  if (status !== 201) throw new Error(`The offer was not made: ${status} ${JSON.stringify(body)}`)
  return body.id
}

export async function readOffers(harness: Harness, as: TestUser): Promise<OfferResponse[]> {
  return (await harness.call<OfferResponse[]>('GET', '/api/offers', { as })).body
}

/** Returns the side and the status of each stored offer on a listing, oldest first. */
export async function readOfferStatuses(harness: Harness, listingId: string): Promise<string[]> {
  const rows = await harness.rows('select made_by, status from offers where listing_id = $1 order by created_at, id', [
    listingId,
  ])
  return rows.map((row) => `${String(row['made_by'])} ${String(row['status'])}`)
}

/** Returns the holds of a listing that are not released. */
export function readLiveHolds(harness: Harness, listingId: string): Promise<Record<string, unknown>[]> {
  const text = `select sale_id, buyer_id, offer_id, state, price_cents from holds where listing_id = $1 and state <> 'released'`
  return harness.rows(text, [listingId])
}

/** Returns the payloads of a listing's OfferAccepted events. */
export async function readOfferAcceptedEvents(harness: Harness, listingId: string): Promise<Record<string, unknown>[]> {
  const text = `select payload from outbox where key = $1 and type like '%OfferAccepted' order by seq`
  return (await harness.rows(text, [listingId])).map((row) => Object(row['payload']))
}
