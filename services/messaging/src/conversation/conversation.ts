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
  /** Number of unread messages, at most `maxUnreadCount`. */
  unreadCount: number
}

/**
 * Position in the list of conversations: the time of the latest message in ISO 8601 with microseconds, then the
 * conversation's id as tiebreaker.
 */
export interface ConversationPosition {
  lastAt: string
  id: string
}

export interface ListedConversation extends Conversation {
  lastAt: string
}

/** Maximum number of unread messages that are counted in a conversation. */
export const maxUnreadCount = 1000

export interface Listing {
  id: string
  title: string
  sellerId: string
}

/**
 * Returns a new conversation between a buyer and the seller of a listing. The listing need not be active. Throws
 * `own_listing` if the buyer is the seller.
 */
export function draftConversation(listing: Listing, buyerId: string): ConversationDraft {
  if (listing.sellerId === buyerId)
    throw forbidden('own_listing', 'You cannot message yourself about your own listing.')
  return { listingId: listing.id, listingTitle: listing.title, buyerId, sellerId: listing.sellerId }
}
