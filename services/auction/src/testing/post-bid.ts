import { expectToMatchContract, type ApiDocument } from '@marketplace/testing/contract.ts'

/** Where bids are taken: an instance here, or a process of its own. */
export interface Door {
  publicUrl: string
}

export interface Answer {
  status: number
  body: Record<string, unknown>
}

export type PostBid = (headers: Record<string, string>, bid: unknown, door: Door) => Promise<Answer>

// Each kind of answer is held to the document once: a race has thousands of them.
export function bidPoster(contract: ApiDocument): PostBid {
  const held = new Set<string>()
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
    const answer = { statusCode, headers: Object.fromEntries(response.headers), body: text }
    if (!held.has(kind)) expectToMatchContract(contract, 'POST', '/api/bids', answer)
    held.add(kind)
    return { status: statusCode, body }
  }
}
