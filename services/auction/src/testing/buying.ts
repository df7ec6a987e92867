import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner, SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { holdsOf } from './books.ts'
import type { Neighbours } from './neighbours.ts'
import type { Instance, Stage } from './stage.ts'

export interface SoldTo {
  listingId: string
  saleId: string
}

/** An auction that ended with this winner. */
export async function win(stage: Stage, winner: TestUser): Promise<SoldTo> {
  const listingId = await stage.openAuction()
  await stage.bid(listingId, 150, winner)
  await stage.endIn(listingId, -1)
  await closeDueAuctions(stage.first.ctx)
  // A running service's closer may have been first, and still be at it.
  const hold = await eventually(async () => (await holdsOf(stage, listingId))[0])
  return { listingId, saleId: String(hold['sale_id']) }
}

/** Payments asks for a checkout; answers `held` with its sale, or the refusal's code. */
export async function buyNow(
  { sales }: Pick<Instance, 'sales'>,
  buyer: TestUser,
  { listingId, saleId = newId() }: { listingId: string; saleId?: string },
): Promise<{ held: string } | { refused: string }> {
  const { answer } = await sales.hold({ saleId, listingId, buyerId: buyer.userId, saleType: SaleType.BUY_NOW })
  if (answer.case === 'held') return { held: answer.value.saleId }
  return { refused: answer.value?.code ?? 'no answer' }
}

/** Payments tells how a sale ended, by its call. */
export async function settle(
  { sales }: Pick<Instance, 'sales'>,
  sale: SoldTo,
  end: 'sold' | 'released',
): Promise<void> {
  await sales.settle({ ...sale, outcome: end === 'sold' ? SettleOutcome.SOLD : SettleOutcome.RELEASED })
}

/** Payments tells the same by its event. */
export async function announce(neighbours: Neighbours, sale: SoldTo, end: 'sold' | 'released'): Promise<void> {
  const owner = Owner.AUCTION
  if (end === 'sold') await neighbours.send(topics.payments, PaymentSucceededSchema, { ...sale, owner })
  else await neighbours.send(topics.payments, SaleReleasedSchema, { ...sale, owner, reason: 'cancelled' })
}
