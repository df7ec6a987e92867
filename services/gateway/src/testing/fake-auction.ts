import type { Stage } from './stage.ts'

/** Of an auction's listing, what its watchers are told; catalog answers it for every id. */
export interface FakeAuction {
  is_auction: boolean
  auction_end_date: string
  current_bid: number | null
  bid_count: number
  is_active: boolean
}

export const openAuction: FakeAuction = {
  is_auction: true,
  auction_end_date: new Date(Date.now() + 3_600_000).toISOString(),
  current_bid: null,
  bid_count: 0,
  is_active: true,
}

/** Has catalog answer with an auction, as its public answer says it. */
export function serveAuction({ upstreams }: Stage, given: Partial<FakeAuction> = {}): void {
  upstreams.catalog.answer = ({ url }) => ({ ...openAuction, ...given, id: url.split('/').at(-1) })
}
