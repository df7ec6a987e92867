import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '../../../ui/controls/Button.tsx'
import { useFocusHeading } from '../../../ui/hooks/use-restore-focus.ts'
import type { CheckoutState } from './use-checkout.ts'
import classes from './BuyerActions.module.css'

function CheckoutButton(button: ButtonProps) {
  useFocusHeading()
  return <Button fullWidth size="lg" {...button} />
}

interface Props {
  isAuction: boolean
  checkout: CheckoutState
  /** Buttons beside the buy button. */
  children?: ReactNode
}

/** The buttons that open the checkout of an item at its fixed price or buy-it-now price. */
export function BuyNow({ isAuction, checkout: { isOffered, isHeld, start }, children }: Props) {
  return (
    <>
      {isOffered && (
        <CheckoutButton variant={isAuction || isHeld ? 'default' : 'filled'} onClick={start}>
          {isAuction ? 'Buy It Now' : 'Buy Now'}
        </CheckoutButton>
      )}
      {children}
      {isHeld && (
        <CheckoutButton className={classes.continue} onClick={start}>
          Continue to payment
        </CheckoutButton>
      )}
    </>
  )
}
