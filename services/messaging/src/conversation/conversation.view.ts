import { Id } from '@marketplace/kit/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Profile } from '../profiles.ts'
import type { Conversation } from './conversation.ts'

export const ConversationView = z
  .strictObject({
    id: Id,
    listing_id: Id,
    listing_title: z.string(),
    /** Null while users gives no answer. */
    other_user_name: z.string().nullable(),
    other_user_picture: z.string().nullable(),
    last_message: z.string(),
    last_message_time: z.iso.datetime(),
    unread_count: z.int(),
  })
  .meta({ id: 'Conversation' })

type View = z.output<typeof ConversationView>

/** Conversations with the other side's names and pictures, asked for all at once. */
export async function toConversationViews(
  { profiles }: Context,
  conversations: readonly Conversation[],
): Promise<View[]> {
  const known = await profiles.get(conversations.map((conversation) => conversation.otherUserId))
  return conversations.map((conversation) => toConversationView(conversation, known.get(conversation.otherUserId)))
}

/** A conversation from one side, with what is known of the other. */
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
