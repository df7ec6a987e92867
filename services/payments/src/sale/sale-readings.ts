import { gauge, type Reading } from '@marketplace/kit/metrics.ts'
import type { Context } from '../context.ts'
import { readUnfinished } from './unfinished.repo.ts'

const refunding = gauge('payments_refunding_sales', 'Sales whose buyer is owed money back.')
const refundAge = gauge('payments_oldest_refunding_age_seconds', 'How long the longest of those buyers has waited.')
const releaseAge = gauge(
  'payments_oldest_releasing_age_seconds',
  'How long an item has waited for its cancelled intent.',
)
const webhookAge = gauge('payments_oldest_webhook_age_seconds', 'How long a webhook has waited to be processed.')

/** What an operator wants to know of money that is under way. */
export function saleReadings({ db }: Pick<Context, 'db'>): Reading[] {
  return [
    {
      name: 'sales',
      async read() {
        const unfinished = await readUnfinished(db)
        refunding.set(unfinished.refunding)
        refundAge.set(unfinished.refundAge)
        releaseAge.set(unfinished.releaseAge)
        webhookAge.set(unfinished.webhookAge)
      },
    },
  ]
}
