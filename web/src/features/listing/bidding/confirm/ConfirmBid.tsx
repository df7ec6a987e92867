import { useMediaQuery } from '@mantine/hooks'
import { useFeeLabel } from '../../../../payments/amounts.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/feedback/Dialog.tsx'
import { Sheet } from '../../../../ui/feedback/Sheet.tsx'
import { formatCents } from '../../../../rules/money.ts'
import classes from './ConfirmBid.module.css'

/** Amounts of a bid in cents. Unknown amounts are null. */
export interface BidAmounts {
  amount: number
  shipping: number | null
  fee: number | null
  total: number | null
}

interface Props {
  title: string
  question: string
  amounts: BidAmounts
  onConfirm: () => void
  onChange: () => void
}

function Amounts({ amount, shipping, fee, total }: BidAmounts) {
  const feeLabel = useFeeLabel({ itemPrice: amount, fee })
  const rows = [
    ['Your bid', formatCents(amount)],
    ['Shipping', shipping === 0 ? 'Free' : shipping && formatCents(shipping)],
    [feeLabel, fee && formatCents(fee)],
    ['Total if you win', total && formatCents(total)],
  ].filter(([, text]) => typeof text === 'string')
  return (
    <dl className={classes.amounts}>
      {rows.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Asks the user to confirm a bid, in a sheet on a phone and in a dialog on a wider screen. */
export function ConfirmBid({ title, question, amounts, onConfirm, onChange }: Props) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const content = (
    <div className={classes.question}>
      <p>{question}</p>
      <Amounts {...amounts} />
      <Button fullWidth size="lg" onClick={onConfirm}>
        Bid {formatCents(amounts.amount)}
      </Button>
      <Button fullWidth size="lg" variant="default" data-autofocus onClick={onChange}>
        Change amount
      </Button>
    </div>
  )
  return isPhone ? (
    <Sheet opened title={title} from="bottom" isFitted onClose={onChange}>
      {content}
    </Sheet>
  ) : (
    <Dialog opened title={title} onClose={onChange}>
      {content}
    </Dialog>
  )
}
