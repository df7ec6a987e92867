import type { Context } from '../context.ts'
import { findOffersOfUser, type ListedOffer, type OffersQuery } from './offers-of-user.repo.ts'
import type { Offer } from './offer.ts'

export interface NamedOffer extends ListedOffer {
  /** Name of the other side of the offer; null if the users service is unavailable or the user was erased. */
  otherUserName: string | null
}

/** Returns offers in which the user is the buyer or the seller, newest first, with the name of the other side. */
export async function readOffersOfUser(ctx: Context, query: OffersQuery): Promise<NamedOffer[]> {
  const offers = await findOffersOfUser(ctx.db, query)
  const names = await ctx.userNames.get(offers.map(({ offer }) => otherUserId(offer, query.userId)))
  return offers.map((listed) => ({
    ...listed,
    otherUserName: names.get(otherUserId(listed.offer, query.userId)) ?? null,
  }))
}

function otherUserId({ buyerId, sellerId }: Offer, userId: string): string {
  return buyerId === userId ? sellerId : buyerId
}
