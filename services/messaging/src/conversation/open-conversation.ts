import { missing } from '@marketplace/kit/problem.ts'
import { answerOr503 } from '@marketplace/kit/rpc.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { sendMessage } from '../message/send-message.ts'
import type { Profile } from '../profiles.ts'
import { aboutListing, type Conversation, type ConversationDraft } from './conversation.ts'
import { findConversation, findConversationId, findDraft, insertConversation } from './conversations.repo.ts'

export interface FirstMessage {
  listingId: string
  buyerId: string
  text: string
}

export interface PreparedConversation {
  draft: ConversationDraft
  seller: Profile | undefined
}

/** What the neighbours know, asked before the transaction; catalog not at all by who has written before. */
export async function prepareConversation(
  ctx: Context,
  { listingId, buyerId }: FirstMessage,
): Promise<PreparedConversation> {
  const known = await findDraft(ctx.db, listingId, buyerId)
  const draft = known ?? aboutListing(await readListing(ctx, listingId), buyerId)
  const profiles = await ctx.profiles.get([draft.sellerId])
  return { draft, seller: profiles.get(draft.sellerId) }
}

/** Writes to the seller of a listing, in this buyer's conversation about it; the first message opens it. */
export async function openConversation(trx: Trx, draft: ConversationDraft, text: string): Promise<Conversation> {
  const { listingId, buyerId } = draft
  await insertConversation(trx, draft)
  const id = await findConversationId(trx, listingId, buyerId)
  if (id === undefined) throw new Error('A conversation that was just stored is not there.')
  await sendMessage(trx, { conversationId: id, senderId: buyerId, text })
  const conversation = await findConversation(trx, id, buyerId)
  if (!conversation) throw missing('conversation')
  return conversation
}

async function readListing({ catalog, settings }: Context, listingId: string) {
  const call = catalog.getListings({ ids: [listingId] }, { timeoutMs: settings.READ_LISTING_MS })
  const { listings } = await answerOr503(call, 'This listing')
  const listing = listings.find(({ id }) => id === listingId)
  if (!listing) throw missing('listing')
  return listing
}
