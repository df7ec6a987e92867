import type { Harness } from './harness.ts'

/** The fields of a listing that live subscribers get. The fake catalog returns them for every id. */
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

/** Makes the fake catalog return an auction in the format of its public API. */
export function serveAuction({ upstreams }: Harness, given: Partial<FakeAuction> = {}): void {
  upstreams.catalog.respond = ({ url }) => ({ ...openAuction, ...given, id: url.split('/').at(-1) })
}
