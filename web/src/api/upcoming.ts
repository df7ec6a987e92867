import type { Listing, PaymentIntent } from './types.ts'

/** Calls that the gateway's document does not describe yet; this file goes once it does. */
type Json<T> = { content: { 'application/json': T } }
type Answered<T> = { responses: { 200: { headers: Record<string, unknown> } & Json<T> } }
type ById = { parameters: { path: { id: string } } }
type WatchState = { isWatched: boolean }

export type UpcomingPaths = {
  '/api/auctions/{id}/buy-now': { post: ById & Answered<PaymentIntent> }
  '/api/watchlist': {
    get: Answered<Listing[]>
    post: { requestBody: Json<{ listing_id: string }> } & Answered<WatchState>
  }
  '/api/watchlist/{id}': { delete: ById & Answered<WatchState> }
  '/api/watchlist/check/{id}': { get: ById & Answered<WatchState> }
}
