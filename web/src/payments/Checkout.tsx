import { useState } from 'react'
import type { PaymentIntent } from '../api/client/types.ts'
import { ConfirmPurchase, type Order } from './ConfirmPurchase.tsx'
import { Payment } from './Payment.tsx'

interface Props {
  order: Order
  isOffered: boolean
  onClose: () => void
  onPaid: () => void
}

/** Shows the two steps of a checkout: Confirm Purchase, which creates the payment intent, and Complete Payment. */
export function Checkout({ order, isOffered, onClose, onPaid }: Props) {
  const [intent, setIntent] = useState<PaymentIntent | null>(null)
  if (intent === null) return <ConfirmPurchase order={order} onClose={onClose} onIntent={setIntent} />
  const restart = isOffered ? () => setIntent(null) : null
  return <Payment title={order.title} intent={intent} onClose={onClose} onPaid={onPaid} onRestart={restart} />
}
