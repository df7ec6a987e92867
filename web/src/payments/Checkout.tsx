import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PaymentIntent } from '../api/client/types.ts'
import type { PaymentResult } from './card-fields.ts'
import { ConfirmPurchase, type Order } from './ConfirmPurchase.tsx'
import { Payment } from './Payment.tsx'
import { reportOutcome } from './report-outcome.ts'

interface Props {
  order: Order
  isOffered: boolean
  onClose: () => void
  onPaid: (result: PaymentResult) => void
}

/**
 * Shows the two steps of a checkout: Confirm Purchase, which creates the payment intent, and Complete Payment. An intent
 * that is created after the checkout was closed is canceled, which releases the item.
 */
export function Checkout({ order, isOffered, onClose, onPaid }: Props) {
  const [intent, setIntent] = useState<PaymentIntent | null>(null)
  const queryClient = useQueryClient()
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  async function pay(created: PaymentIntent) {
    if (isOpen.current) return setIntent(created)
    await reportOutcome('cancel', created.payment_intent_id)
    await queryClient.invalidateQueries()
  }
  if (intent === null) {
    return <ConfirmPurchase order={order} onClose={onClose} onIntent={(created) => void pay(created)} />
  }
  const restart = isOffered ? () => setIntent(null) : null
  return <Payment title={order.title} intent={intent} onClose={onClose} onPaid={onPaid} onRestart={restart} />
}
