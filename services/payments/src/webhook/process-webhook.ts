import { isTransient } from '@marketplace/kit/errors/transient-error.ts'
import type { Context } from '../context.ts'
import type { ProviderEvent } from '../provider/webhook-signature.ts'
import { advance } from '../sale/advance.ts'
import { findSaleOfIntent } from '../sale/sales.repo.ts'
import { claimDueWebhooks, insertWebhookEvent, markProcessed, type StoredEvent } from './webhooks.repo.ts'

// No other event type changes a sale: a declined card leaves its intent open.
const relevantTypes = new Set(['payment_intent.succeeded', 'payment_intent.canceled'])

/** Stores an event; returns null when it is already stored or has a type that changes no sale. */
export async function storeWebhook(ctx: Context, { id, type, objectId }: ProviderEvent): Promise<StoredEvent | null> {
  if (!relevantTypes.has(type)) return null
  const event = { id, intentId: objectId }
  const isNew = await insertWebhookEvent(ctx.db, { ...event, type }, ctx.settings.RETRY_DELAY_MS)
  return isNew ? event : null
}

/** Advances the sale of an event. An event that fails stays unprocessed, and the sweeper retries it. */
export async function processWebhook(ctx: Context, { id, intentId }: StoredEvent): Promise<void> {
  try {
    const sale = await findSaleOfIntent(ctx.db, intentId)
    // An unknown intent belongs to another product, or is orphaned and its secret was never returned.
    if (sale) await advance(ctx, sale.id, 'sync')
    await markProcessed(ctx.db, id)
  } catch (error) {
    ctx.log[isTransient(error) ? 'warn' : 'error']({ err: error, webhook: id }, 'webhook processing failed')
  }
}

export async function sweepWebhooks(ctx: Context): Promise<number> {
  const due = await claimDueWebhooks(ctx.db, ctx.settings.RETRY_DELAY_MS)
  await Promise.all(due.map((event) => processWebhook(ctx, event)))
  return due.length
}
