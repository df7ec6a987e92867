import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner, SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { readHolds } from './auction-assertions.ts'
import type { Harness, Instance } from './harness.ts'
import type { UpstreamEvents } from './upstream-events.ts'

export interface SaleRef {
  listingId: string
  saleId: string
}

/** Opens an auction and closes it with this winner. */
export async function winAuction(harness: Harness, winner: TestUser): Promise<SaleRef> {
  const listingId = await harness.openAuction()
  await harness.bid(listingId, 150, winner)
  await harness.setEndIn(listingId, -1)
  await closeDueAuctions(harness.first.ctx)
  // The closing sweep of a running service may have locked the auction first and not committed yet.
  const hold = await eventually(async () => (await readHolds(harness, listingId))[0])
  return { listingId, saleId: String(hold['sale_id']) }
}

/** Requests a hold for a buy-it-now checkout. Returns the sale that holds the item, or the rejection's code. */
export async function buyNow(
  { sales }: Pick<Instance, 'sales'>,
  buyer: TestUser,
  { listingId, saleId = newId() }: { listingId: string; saleId?: string },
): Promise<{ held: string } | { rejected: string }> {
  const { answer } = await sales.hold({ saleId, listingId, buyerId: buyer.userId, saleType: SaleType.BUY_NOW })
  if (answer.case === 'held') return { held: answer.value.saleId }
  return { rejected: answer.value?.code ?? 'no result' }
}

/** Settles a sale by the RPC that payments calls. */
export async function settle(
  { sales }: Pick<Instance, 'sales'>,
  sale: SaleRef,
  outcome: 'sold' | 'released',
  reason = outcome === 'sold' ? '' : 'cancelled',
): Promise<void> {
  await sales.settle({ ...sale, outcome: outcome === 'sold' ? SettleOutcome.SOLD : SettleOutcome.RELEASED, reason })
}

/** Settles a sale by the event that payments publishes. */
export async function publishSettlement(
  upstream: UpstreamEvents,
  sale: SaleRef,
  outcome: 'sold' | 'released',
  reason = 'cancelled',
): Promise<void> {
  const owner = Owner.AUCTION
  if (outcome === 'sold') await upstream.publish(topics.payments, PaymentSucceededSchema, { ...sale, owner })
  else await upstream.publish(topics.payments, SaleReleasedSchema, { ...sale, owner, reason })
}
