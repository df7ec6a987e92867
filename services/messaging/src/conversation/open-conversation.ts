import { missing } from '@marketplace/kit/errors/problem.ts'
import { erasedTitle } from '@marketplace/kit/personal-data/erased.ts'
import { responseOr503 } from '@marketplace/kit/rpc/rpc.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { countConversations, lockSender } from '../message/quotas.repo.ts'
import { checkConversations, type Quotas } from '../message/quotas.ts'
import { sendMessage } from '../message/send-message.ts'
import { delayErasure, isErased } from '../personal-data/erased-users.repo.ts'
import type { Profile } from '../profiles.ts'
import { draftConversation, type Conversation, type ConversationDraft } from './conversation.ts'
import { findConversation, findConversationId, findDraft, insertConversation } from './conversations.repo.ts'

export interface FirstMessage {
  listingId: string
  buyerId: string
  text: string
}

export interface Opening {
  draft: ConversationDraft
  text: string
  quotas: Quotas
}

export interface PreparedConversation {
  draft: ConversationDraft
  seller: Profile | undefined
}

/**
 * Reads, before the transaction starts, the data that `openConversation` needs. Reads the listing from the catalog
 * service only if the conversation does not exist yet.
 */
export async function prepareConversation(
  ctx: Context,
  { listingId, buyerId }: FirstMessage,
): Promise<PreparedConversation> {
  const existing = await findDraft(ctx.db, listingId, buyerId)
  const draft = existing ?? draftConversation(await readListing(ctx, listingId), buyerId)
  const profiles = await ctx.profiles.get([draft.sellerId])
  return { draft, seller: profiles.get(draft.sellerId) }
}

/**
 * Sends a buyer's message to the seller of a listing. The buyer's first message about the listing creates the
 * conversation.
 */
export async function openConversation(trx: Trx, { draft, text, quotas }: Opening): Promise<Conversation> {
  const { listingId, buyerId, sellerId } = draft
  await lockSender(trx, buyerId)
  await delayErasure(trx, sellerId)
  // The draft can have the title that the listing had before its seller was erased.
  const listingTitle = (await isErased(trx, sellerId)) ? erasedTitle : draft.listingTitle
  const isNew = await insertConversation(trx, { ...draft, listingTitle })
  const id = await findConversationId(trx, listingId, buyerId)
  if (id === undefined) throw new Error('The inserted conversation was not found.')
  await sendMessage(trx, { conversationId: id, senderId: buyerId, text }, quotas)
  // Checked after the message, because `sendMessage` throws `blocked` (403), which comes before a full quota (409).
  if (isNew) checkConversations(await countConversations(trx, buyerId, quotas.MAX_CONVERSATIONS_PER_DAY + 1), quotas)
  const conversation = await findConversation(trx, id, buyerId)
  if (!conversation) throw missing('conversation')
  return conversation
}

async function readListing({ catalog, settings }: Context, listingId: string) {
  const call = catalog.getListings({ ids: [listingId] }, { timeoutMs: settings.LISTINGS_TIMEOUT_MS })
  const { listings } = await responseOr503(call, 'This listing')
  const listing = listings.find(({ id }) => id === listingId)
  if (!listing) throw missing('listing')
  return listing
}
