import type { PaymentIntent } from './types.ts'

/** A call that the gateway's document does not describe yet; this file goes once it does. */
export type UpcomingPaths = {
  '/api/auctions/{id}/buy-now': {
    post: {
      parameters: { path: { id: string } }
      responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': PaymentIntent } } }
    }
  }
}
