import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { useConfirmBids } from './use-confirm-bids.ts'

/** Lets the user choose to confirm each bid before it is sent. */
export function ConfirmBidsSetting() {
  const [isOn, change] = useConfirmBids()
  return (
    <Checkbox label="Ask me before each bid" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} />
  )
}
