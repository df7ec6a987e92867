import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/controls/Button.tsx'
import { BusyButton } from '../ui/inputs/BusyButton.tsx'
import classes from './payments.module.css'

interface Props {
  onRestart: (() => void) | null
  onClose: () => void
}

/**
 * Shown instead of the card form when the checkout has expired. Sets the focus to its first button, because the element that
 * had the focus was removed.
 */
export function CheckoutExpired({ onRestart, onClose }: Props) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => body.current?.querySelector('button')?.focus(), [])
  const [isRestarting, setIsRestarting] = useState(false)
  function restart() {
    setIsRestarting(true)
    onRestart?.()
  }
  return (
    <div ref={body} className={classes.dialog}>
      <p role="alert">Your hold on this item expired. You weren't charged.</p>
      {onRestart !== null && (
        <BusyButton isBusy={isRestarting} onClick={restart}>
          Try Again
        </BusyButton>
      )}
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </div>
  )
}
