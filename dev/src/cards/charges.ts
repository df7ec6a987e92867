import { refuseUnknown } from './form.ts'
import type { Answer } from './idempotency.ts'
import type { PaymentIntent } from './intent.ts'
import { succeededIntents } from './intents.repo.ts'
import { page } from './lists.ts'
import type { IntentCall } from './payment-intents.ts'
import { refundedOf } from './refunds.ts'

/** The charges that took money, newest first; tries that were declined are not kept. */
export function listCharges({ database, form }: IntentCall): Answer {
  refuseUnknown(form, ['limit', 'starting_after'])
  return page('/v1/charges', form, (stretch) =>
    succeededIntents(database, stretch).map((intent) => toCharge(intent, refundedOf(database, intent.id))),
  )
}

function toCharge(intent: PaymentIntent, refunded: number) {
  return {
    id: intent.latest_charge,
    object: 'charge',
    amount: intent.amount,
    amount_captured: intent.amount_received,
    amount_refunded: refunded,
    captured: true,
    created: intent.created,
    currency: intent.currency,
    livemode: false,
    metadata: intent.metadata,
    paid: true,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    refunded: refunded === intent.amount_received,
    status: 'succeeded',
  }
}
