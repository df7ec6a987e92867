import { counterOffer } from '../api/queries/offers.ts'
import type { Offer } from '../api/client/types.ts'
import { formatCents } from '../rules/money.ts'
import { Dialog } from '../ui/feedback/Dialog.tsx'
import { OfferForm } from './OfferForm.tsx'
import classes from './offers.module.css'

interface Props {
  offer: Offer
  setFailure: (failure: string | null) => void
  onClose: () => void
}

export function CounterDialog({ offer, setFailure, onClose }: Props) {
  return (
    <Dialog opened title="Make a Counteroffer" onClose={onClose}>
      <p className={classes.about}>
        <bdi>{offer.listing_title}</bdi>: The current offer is {formatCents(offer.amount)}. Your counteroffer replaces
        it and expires in 48 hours.
      </p>
      <OfferForm
        verb="Send Counter"
        draft={`counter:${offer.id}`}
        send={(terms) => counterOffer(offer.id, terms)}
        onSent={() => {
          setFailure(null)
          onClose()
        }}
        onOutdated={setFailure}
      />
    </Dialog>
  )
}
