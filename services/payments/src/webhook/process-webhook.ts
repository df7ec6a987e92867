import { isPassing } from '@marketplace/kit/passing-error.ts'
import type { Context } from '../context.ts'
import type { ProviderEvent } from '../provider/webhook-signature.ts'
import { advance } from '../sale/advance.ts'
import { findSaleOfIntent } from '../sale/sales.repo.ts'
import { claimDueWebhooks, insertWebhookEvent, markProcessed, type StoredEvent } from './webhooks.repo.ts'

// Nothing else moves a sale: a declined card, say, leaves its intent open.
const telling = new Set(['payment_intent.succeeded', 'payment_intent.canceled'])

/** Stores an event that is news; null when it is known or tells us nothing. */
export async function storeWebhook(ctx: Context, { id, type, objectId }: ProviderEvent): Promise<StoredEvent | null> {
  if (!telling.has(type)) return null
  const event = { id, intentId: objectId }
  const isNew = await insertWebhookEvent(ctx.db, { ...event, type }, ctx.settings.RETRY_MS)
  return isNew ? event : null
}

/** Looks at the sale that an event is about; one that fails stays unprocessed, for the sweeper. */
export async function processWebhook(ctx: Context, { id, intentId }: StoredEvent): Promise<void> {
  try {
    const sale = await findSaleOfIntent(ctx.db, intentId)
    // Unknown: another product's, or an intent whose secret nobody was given.
    if (sale) await advance(ctx, sale.id, 'look')
    await markProcessed(ctx.db, id)
  } catch (error) {
    ctx.log[isPassing(error) ? 'warn' : 'error']({ err: error, webhook: id }, 'webhook could not be processed')
  }
}

export async function sweepWebhooks(ctx: Context): Promise<number> {
  const due = await claimDueWebhooks(ctx.db, ctx.settings.RETRY_MS)
  await Promise.all(due.map((event) => processWebhook(ctx, event)))
  return due.length
}
