import { useMediaQuery } from '@mantine/hooks'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/feedback/Dialog.tsx'
import { Sheet } from '../../../ui/feedback/Sheet.tsx'
import { formatCents } from '../../../rules/money.ts'
import type { FarJump } from './bid-refusal.ts'
import classes from './ConfirmBid.module.css'

interface Props {
  jump: FarJump
  /** The price in cents that the first bid must exceed. */
  startingBid: number
  onConfirm: () => void
  onChange: () => void
}

/**
 * Asks the user to confirm a bid that is far above the price. The question is in a sheet on a phone and in a dialog
 * otherwise.
 */
export function ConfirmBid({ jump: { amount, currentBid, total }, startingBid, onConfirm, onChange }: Props) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const times = Math.floor(amount / (currentBid ?? startingBid)).toLocaleString('en-US')
  const title = `Is ${formatCents(amount)} right?`
  const question = (
    <div className={classes.question}>
      <p>
        It's {times} times the {currentBid === null ? 'starting' : 'current'} bid. You'd pay {formatCents(total)} in
        total.
      </p>
      <Button fullWidth size="lg" onClick={onConfirm}>
        Bid {formatCents(amount)}
      </Button>
      <Button fullWidth size="lg" variant="default" data-autofocus onClick={onChange}>
        Change amount
      </Button>
    </div>
  )
  return isPhone ? (
    <Sheet opened title={title} from="bottom" size="17.5rem" onClose={onChange}>
      {question}
    </Sheet>
  ) : (
    <Dialog opened title={title} onClose={onChange}>
      {question}
    </Dialog>
  )
}
