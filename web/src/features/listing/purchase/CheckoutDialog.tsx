import { lazy, Suspense } from 'react'
import type { PaymentResult } from '../../../payments/card-fields.ts'
import type { CheckoutState } from './use-checkout.ts'

const Checkout = lazy(async () => ({ default: (await import('../../../payments/Checkout.tsx')).Checkout }))

interface Props {
  checkout: CheckoutState
  canBuy: boolean
  onPaid: (result: PaymentResult) => void
}

/**
 * The open checkout. It stays open until the user closes it, even if the item was sold meanwhile or a bid has reached
 * the buy-it-now price, so that it can show the server's error.
 */
export function CheckoutDialog({ checkout: { order, isOffered, close }, canBuy, onPaid }: Props) {
  return (
    <Suspense>
      {order !== null && (
        <Checkout
          order={order}
          isOffered={canBuy && isOffered}
          onClose={close}
          onPaid={(result) => {
            close()
            onPaid(result)
          }}
        />
      )}
    </Suspense>
  )
}
