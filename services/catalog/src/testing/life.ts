import { SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import type { ApiResponse, Harness, Instance } from './harness.ts'

export interface LifeCall {
  /** By default the harness's seller. */
  as?: TestUser
  at?: Instance
}

/** Edits a listing, by default at its first terms version. */
export function editListing(
  harness: Harness,
  id: string,
  edit: Record<string, unknown>,
  { as = harness.seller, at }: LifeCall = {},
): Promise<ApiResponse> {
  const body = { listing_version: 1, ...edit }
  return harness.call('PATCH', `/api/listings/${id}`, { as, body, at })
}

export function endListing(
  harness: Harness,
  id: string,
  { as = harness.seller, at }: LifeCall = {},
): Promise<ApiResponse> {
  return harness.call('POST', `/api/listings/${id}/end`, { as, at })
}

export function relistListing(
  harness: Harness,
  id: string,
  body: Record<string, unknown> = {},
  { as = harness.seller, at }: LifeCall = {},
): Promise<ApiResponse> {
  return harness.call('POST', `/api/listings/${id}/relist`, { as, body, at })
}

/** Holds an item for a checkout. Returns the sale's id, or the code of the rejection. */
export async function holdListing(
  harness: Harness,
  listingId: string,
  {
    buyerId = newId(),
    listingVersion,
    at = harness.first,
  }: { buyerId?: string; listingVersion?: number; at?: Instance } = {},
): Promise<{ saleId: string } | { code: string }> {
  const request = { saleId: newId(), listingId, buyerId, saleType: SaleType.BUY_NOW }
  const { answer } = await at.sales.hold(listingVersion === undefined ? request : { ...request, listingVersion })
  if (answer.case === 'refused') return { code: answer.value.code }
  return { saleId: request.saleId }
}

/** Holds an item and settles the sale as sold or released. */
export async function sellListing(
  harness: Harness,
  listingId: string,
  { buyerId = newId(), outcome = SettleOutcome.SOLD }: { buyerId?: string; outcome?: SettleOutcome } = {},
): Promise<void> {
  const held = await holdListing(harness, listingId, { buyerId })
  if ('code' in held) throw new Error(`The item was not held: ${held.code}`)
  await harness.sales.settle({ saleId: held.saleId, listingId, outcome })
}

/** Returns the row of a listing with the newest document that was published of it. */
export async function readListingRow(harness: Harness, id: string) {
  const [row] = await harness.rows(
    `select status, is_active, end_reason, terms_version, version::int, ended_at is not null as has_ended,
       (select payload -> 'listing' ->> 'status' from outbox where key = $1::text and type like '%Listing%'
         order by seq desc limit 1) as published
     from listings where id = $1::uuid`,
    [id],
  )
  return row
}
