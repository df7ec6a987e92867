import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Profile } from '../profiles.ts'
import { maxUnreadCount, type Conversation } from './conversation.ts'

export const ConversationView = z
  .strictObject({
    id: Id,
    listing_id: Id,
    listing_title: z.string(),
    /** Null if the users service is unavailable. */
    other_user_name: z.string().nullable(),
    other_user_picture: z.string().nullable(),
    last_message: z.string(),
    last_message_time: z.iso.datetime(),
    unread_count: z.int().meta({ description: `Counted up to ${maxUnreadCount}` }),
  })
  .meta({ id: 'Conversation' })

type View = z.output<typeof ConversationView>

/**
 * Returns a conversation as shown to one participant. If `other` is undefined, the name and picture of the other
 * participant are null.
 */
export function toConversationView(conversation: Conversation, other: Profile | undefined): View {
  return {
    id: conversation.id,
    listing_id: conversation.listingId,
    listing_title: conversation.listingTitle,
    other_user_name: other?.name ?? null,
    other_user_picture: other?.picture ?? null,
    last_message: conversation.lastMessage,
    last_message_time: conversation.lastMessageAt.toISOString(),
    unread_count: conversation.unreadCount,
  }
}
