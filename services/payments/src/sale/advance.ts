import type { DomainError } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { cancelIntent } from './cancel-intent.ts'
import { releaseSale } from './end-sale.ts'
import { holdItem } from './hold-item.ts'
import type { Intent } from './intent.ts'
import { openIntent } from './open-intent.ts'
import { readIntent } from './read-intent.ts'
import { refundSale } from './refund-sale.ts'
import { markReleasing } from './sale-moves.repo.ts'
import { lapseReason, nextStep, type Sale, type Wish } from './sale.ts'
import { readSale } from './sales.repo.ts'
import { seekIntent } from './seek-intent.ts'
import { rests, type StepAnswer } from './step.ts'

export interface Progress {
  sale: Sale
  /** As the provider showed it on the way; always there for a sale that rests in `payable` after the wish to pay. */
  intent: Intent | null
  /** Why a sale that rests in `released` was refused. */
  problem: DomainError | null
}

/**
 * Moves a sale as far as it can go now; the only way to move one. Each step reads the state, makes at most one outside
 * call with a key of the sale's id, and commits where the state is still the one read; otherwise it reads again.
 */
export async function advance(ctx: Context, saleId: string, wish: Wish): Promise<Progress> {
  let problem: DomainError | null = null
  for (;;) {
    const answer = await takeStep(ctx, await readSale(ctx.db, saleId), wish)
    if (answer?.kind === 'refused') problem = answer.problem
    if (answer?.kind === 'rests') {
      const { sale, intent } = answer
      return { sale, intent, problem: sale.state === 'released' ? problem : null }
    }
  }
}

async function takeStep(ctx: Context, sale: Sale, wish: Wish): Promise<StepAnswer> {
  const step = nextStep(sale, wish)
  switch (step) {
    case 'hold':
      return holdItem(ctx, sale)
    case 'open-intent':
      return openIntent(ctx, sale)
    case 'seek-intent':
      return seekIntent(ctx, sale)
    case 'read-intent':
      return readIntent(ctx, sale, wish)
    case 'start-release':
      await markReleasing(ctx.db, sale, { reason: lapseReason(sale), retryMs: ctx.settings.RETRY_MS })
      return null
    case 'cancel-intent':
      return cancelIntent(ctx, sale)
    case 'release':
      await releaseSale(ctx, sale, lapseReason(sale))
      return null
    case 'refund':
      return refundSale(ctx, sale)
    case 'rest':
      break
  }
  return rests(sale)
}
