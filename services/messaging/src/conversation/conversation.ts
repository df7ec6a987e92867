import { forbidden } from '@marketplace/kit/problem.ts'

export interface ConversationDraft {
  listingId: string
  listingTitle: string
  buyerId: string
  sellerId: string
}

/** A conversation as one of its two sides sees it. */
export interface Conversation {
  id: string
  listingId: string
  listingTitle: string
  otherUserId: string
  lastMessage: string
  lastMessageAt: Date
  unreadCount: number
}

export interface Listing {
  id: string
  title: string
  sellerId: string
}

/** The conversation of a buyer about a listing, sold or ended ones too; nobody writes to themselves. */
export function aboutListing(listing: Listing, buyerId: string): ConversationDraft {
  if (listing.sellerId === buyerId)
    throw forbidden('own_listing', 'You cannot message yourself about your own listing.')
  return { listingId: listing.id, listingTitle: listing.title, buyerId, sellerId: listing.sellerId }
}
