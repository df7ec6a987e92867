import { gauge, type MetricCollector } from '@marketplace/kit/telemetry/metrics.ts'
import type { Context } from '../context.ts'
import { readDisputeBacklog } from '../dispute/disputes.repo.ts'
import { countStuckRefunds } from '../refund/stuck-refunds.repo.ts'
import { readSaleBacklog } from './sale-backlog.repo.ts'

const refunding = gauge('payments_refunding_sales', 'Sales whose buyer is owed money back.')
const refundAge = gauge(
  'payments_oldest_refunding_age_seconds',
  'How long the oldest refund has been owed that is not pending at the provider, stuck or waiting for a dispute.',
)
const refundsStuck = gauge('payments_stuck_refunds', 'Refunds that failed 20 times or were not made within 14 days.')
const releaseAge = gauge(
  'payments_oldest_releasing_age_seconds',
  'How long an item has waited for its cancelled intent.',
)
const webhookAge = gauge('payments_oldest_webhook_age_seconds', 'How long a webhook has waited to be processed.')

const mismatched = gauge(
  'payments_mismatched_sales',
  'Sales whose intent at the provider has another amount, currency or sale.',
)

const disputesDue = gauge('payments_due_disputes', 'Disputes whose evidence is due within 48 hours, or overdue.')
const disputesParked = gauge(
  'payments_parked_disputes',
  'Disputes that stayed unsettled and unchanged for 120 days; no further read is scheduled.',
)

/** Returns the metric collectors for the payment backlog. */
export function saleCollectors({ db }: Pick<Context, 'db'>): MetricCollector[] {
  return [
    {
      name: 'sales',
      async collect() {
        const backlog = await readSaleBacklog(db)
        refunding.set(backlog.refunding)
        refundAge.set(backlog.refundAge)
        releaseAge.set(backlog.releaseAge)
        webhookAge.set(backlog.webhookAge)
        mismatched.set(backlog.mismatched)
      },
    },
    {
      name: 'stuck refunds',
      async collect() {
        refundsStuck.set(await countStuckRefunds(db))
      },
    },
    {
      name: 'disputes',
      async collect() {
        const backlog = await readDisputeBacklog(db)
        disputesDue.set(backlog.due)
        disputesParked.set(backlog.parked)
      },
    },
  ]
}
