import { expectToMatchContract, type ApiDocument } from '@marketplace/testing/contract.ts'

/** A server that accepts bids: an instance in this process, or a separate process. */
export interface BidEndpoint {
  publicUrl: string
}

export interface ApiResponse {
  status: number
  body: Record<string, unknown>
}

export type PostBid = (headers: Record<string, string>, bid: unknown, endpoint: BidEndpoint) => Promise<ApiResponse>

/**
 * Creates a function that posts bids. It compares one response of each status and error code with the OpenAPI document,
 * not every response, because a race test gets thousands of them.
 */
export function createBidPoster(contract: ApiDocument): PostBid {
  const checked = new Set<string>()
  return async (headers, bid, { publicUrl }) => {
    const response = await fetch(`${publicUrl}/api/bids`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(bid),
    })
    const { status: statusCode } = response
    const text = await response.text()
    const body: Record<string, unknown> = JSON.parse(text)
    const kind = JSON.stringify([statusCode, body['code']])
    const received = { statusCode, headers: Object.fromEntries(response.headers), body: text }
    if (!checked.has(kind)) expectToMatchContract(contract, 'POST', '/api/bids', received)
    checked.add(kind)
    return { status: statusCode, body }
  }
}
