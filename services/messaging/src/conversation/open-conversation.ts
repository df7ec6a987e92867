import { transaction } from '@marketplace/kit/db.ts'
import { missing } from '@marketplace/kit/problem.ts'
import { answerOr503 } from '@marketplace/kit/rpc.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { addMessage } from '../message/send-message.ts'
import { aboutListing, type Conversation, type ConversationDraft } from './conversation.ts'
import { findConversation, findConversationId, insertConversation } from './conversations.repo.ts'

export interface FirstMessage {
  listingId: string
  buyerId: string
  text: string
}

/** Writes to the seller of a listing, in this buyer's conversation about it; the first message opens it. */
export async function openConversation(ctx: Context, message: FirstMessage): Promise<Conversation> {
  const { listingId, buyerId } = message
  const knownId = await findConversationId(ctx.db, listingId, buyerId)
  if (knownId !== undefined) return transaction(ctx.db, (trx) => writeIn(trx, knownId, message))

  // Catalog is asked before the transaction, and only now: who has written before can go on without it.
  const draft = aboutListing(await readListing(ctx, listingId), buyerId)
  return transaction(ctx.db, (trx) => openAndWrite(trx, draft, message))
}

async function openAndWrite(trx: Trx, draft: ConversationDraft, message: FirstMessage): Promise<Conversation> {
  await insertConversation(trx, draft)
  const id = await findConversationId(trx, draft.listingId, draft.buyerId)
  if (id === undefined) throw new Error('A conversation that was just stored is not there.')
  return writeIn(trx, id, message)
}

async function writeIn(trx: Trx, id: string, { buyerId, text }: FirstMessage): Promise<Conversation> {
  await addMessage(trx, { conversationId: id, senderId: buyerId, text })
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
