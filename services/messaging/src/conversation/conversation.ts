import { forbidden } from '@marketplace/kit/errors/problem.ts'

export interface ConversationDraft {
  listingId: string
  listingTitle: string
  buyerId: string
  sellerId: string
}

/** A conversation as shown to one participant. */
export interface Conversation {
  id: string
  listingId: string
  listingTitle: string
  otherUserId: string
  lastMessage: string
  lastMessageAt: Date
  /** At most `maxUnreadCount`. */
  unreadCount: number
}

/** Place in the list of conversations: the time of the latest message in ISO 8601 with microseconds, then the id. */
export interface ConversationPosition {
  lastAt: string
  id: string
}

export interface ListedConversation extends Conversation {
  lastAt: string
}

/** Unread messages are counted up to this number, because each request counts them again. */
export const maxUnreadCount = 1000

export interface Listing {
  id: string
  title: string
  sellerId: string
}

/**
 * Returns the draft of a buyer's conversation about a listing, also a sold or ended one. Throws `own_listing` for the
 * seller.
 */
export function draftConversation(listing: Listing, buyerId: string): ConversationDraft {
  if (listing.sellerId === buyerId)
    throw forbidden('own_listing', 'You cannot message yourself about your own listing.')
  return { listingId: listing.id, listingTitle: listing.title, buyerId, sellerId: listing.sellerId }
}
