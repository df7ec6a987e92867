import { lazy, Suspense, useState } from 'react'
import { errorText } from '../../api/client/http.ts'
import type { CardListing } from '../../api/client/types.ts'
import { Button, ButtonLink } from '../../ui/controls/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { useFocusHeading } from '../../ui/hooks/use-restore-focus.ts'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { useListingAction } from './use-listing-actions.ts'
import classes from './ListingActions.module.css'

const EndDialog = lazy(async () => ({ default: (await import('./EndDialog.tsx')).EndDialog }))

interface Props {
  listing: CardListing
  onDone: (message: string) => void
}

function ActiveActions({ listing, onDone }: Props) {
  useFocusHeading()
  const [isEnding, setIsEnding] = useState(false)
  return (
    <>
      <ButtonLink to={`/listing/${listing.id}/edit`} variant="default" size="sm" aria-label={`Edit ${listing.title}`}>
        Edit
      </ButtonLink>
      <Button variant="default" size="sm" aria-label={`End ${listing.title}`} onClick={() => setIsEnding(true)}>
        End
      </Button>
      <Suspense>
        {isEnding && (
          <EndDialog
            listing={listing}
            onClose={() => setIsEnding(false)}
            onEnded={() => {
              setIsEnding(false)
              onDone('The listing has ended.')
            }}
          />
        )}
      </Suspense>
    </>
  )
}

function Relist({ listing, onDone }: Props) {
  useFocusHeading()
  const relist = useListingAction('relist', () => onDone('The listing is active again.'))
  return (
    <>
      <BusyButton
        variant="default"
        size="sm"
        aria-label={`Relist ${listing.title}`}
        isBusy={relist.isPending}
        onClick={() => relist.mutate(listing.id)}
      >
        Relist
      </BusyButton>
      <Alert
        message={relist.error && errorText(relist.error, 'Failed to relist listing')}
        onDismiss={() => relist.reset()}
      />
    </>
  )
}

function SellSimilar({ listing }: Pick<Props, 'listing'>) {
  return (
    <ButtonLink
      to={`/create-listing?similar=${listing.id}`}
      variant="default"
      size="sm"
      aria-label={`Sell a similar item: ${listing.title}`}
    >
      Sell a similar item
    </ButtonLink>
  )
}

/** Buttons for what the seller can do with a listing. Renders nothing for active auctions and for reserved items. */
export function ListingActions(props: Props) {
  const { status, is_auction: isAuction } = props.listing
  if (status === 'reserved' || (isAuction && status === 'active')) return null
  return (
    <div className={classes.actions}>
      {status === 'active' && <ActiveActions {...props} />}
      {status === 'ended' && !isAuction && <Relist {...props} />}
      {status !== 'active' && <SellSimilar listing={props.listing} />}
    </div>
  )
}
