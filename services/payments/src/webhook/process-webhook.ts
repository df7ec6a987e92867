import { isTransient } from '@marketplace/kit/errors/transient-error.ts'
import type { Context } from '../context.ts'
import type { ProviderEvent } from '../provider/webhook-signature.ts'
import { advance } from '../sale/advance.ts'
import { parkMismatch } from '../sale/park-mismatch.ts'
import { syncCharge } from '../refund/sync-charge.ts'
import type { Sale } from '../sale/sale.ts'
import { findSale, findSaleOfIntent } from '../sale/sales.repo.ts'
import { claimDueWebhooks, insertWebhookEvent, markProcessed, type StoredEvent } from './webhooks.repo.ts'

// Types of events that can change a sale. A declined card, for example, changes no sale, because the intent stays open.
const relevantTypes = new Set([
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
])

/** Stores an event. Returns null if the event is already stored, has no intent, or has a type that changes no sale. */
export async function storeWebhook(
  ctx: Context,
  { id, type, intentId, saleId }: ProviderEvent,
): Promise<StoredEvent | null> {
  if (!relevantTypes.has(type) || intentId === null) return null
  const event = { id, intentId, saleId }
  const isNew = await insertWebhookEvent(ctx.db, { ...event, type }, ctx.settings.RETRY_DELAY_MS)
  return isNew ? event : null
}

/**
 * Finds the sale of the webhook event and applies the provider's state to the sale. If this fails, the event stays
 * unprocessed and the sweeper retries it.
 */
export async function processWebhook(ctx: Context, event: StoredEvent): Promise<void> {
  const { id } = event
  try {
    const sale = await findSaleOfEvent(ctx, event)
    // An event without a sale is ignored: its intent belongs to another application with the same provider account, or
    // was never sent to a browser and so cannot be paid.
    if (sale) await syncOrPark(ctx, sale)
    await markProcessed(ctx.db, id)
  } catch (error) {
    ctx.log[isTransient(error) ? 'warn' : 'error']({ err: error, webhook: id }, 'webhook processing failed')
  }
}

// Events about an intent or its charge contain the sale id. Events about a refund contain only the intent id, so the
// sale is found by its intent.
async function findSaleOfEvent(ctx: Context, { intentId, saleId }: StoredEvent): Promise<Sale | undefined> {
  const sale = saleId === null ? undefined : await findSale(ctx.db, saleId)
  return sale?.intentId === intentId ? sale : findSaleOfIntent(ctx.db, intentId)
}

async function syncOrPark(ctx: Context, sale: Sale): Promise<void> {
  try {
    await syncSale(ctx, sale)
  } catch (error) {
    if (!(await parkMismatch(ctx, sale.id, error))) throw error
  }
}

async function syncSale(ctx: Context, { id }: Sale): Promise<void> {
  const { sale } = await advance(ctx, id, 'sync')
  await syncCharge(ctx, sale, 'webhook')
}

export async function sweepWebhooks(ctx: Context): Promise<number> {
  const due = await claimDueWebhooks(ctx.db, ctx.settings.RETRY_DELAY_MS)
  await Promise.all(due.map((event) => processWebhook(ctx, event)))
  return due.length
}
