import { useQueryClient } from '@tanstack/react-query'
import { makeOffer } from '../api/queries/offers.ts'
import { listingQuery } from '../api/queries/queries.ts'
import type { Listing, Offer } from '../api/client/types.ts'
import { formatCents } from '../rules/money.ts'
import { Dialog } from '../ui/feedback/Dialog.tsx'
import { OfferForm } from './OfferForm.tsx'
import classes from './offers.module.css'

interface Props {
  listing: Listing
  onClose: () => void
  onSent: (offer: Offer) => void
}

export function OfferDialog({ listing, onClose, onSent }: Props) {
  const queryClient = useQueryClient()
  // Refetches the listing after an error, because the seller may have changed it.
  const rereadListing = (error: unknown) => {
    void queryClient.invalidateQueries({ queryKey: listingQuery(listing.id).queryKey })
    throw error
  }
  return (
    <Dialog opened title="Make an Offer" onClose={onClose}>
      <p className={classes.about}>
        <bdi>{listing.title}</bdi>, listed at {formatCents(listing.price)}. The seller can accept, reject or counter
        your offer within 48 hours.
      </p>
      <OfferForm
        verb="Send Offer"
        draft={`offer:${listing.id}`}
        send={(terms) => makeOffer(listing, terms).catch(rereadListing)}
        onSent={onSent}
      />
    </Dialog>
  )
}
