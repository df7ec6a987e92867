import { errorText } from '../../api/client/http.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { Dialog } from '../../ui/feedback/Dialog.tsx'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { useListingAction } from './use-listing-actions.ts'
import classes from './ListingActions.module.css'

interface Props {
  listing: { id: string; title: string }
  onClose: () => void
  onEnded: () => void
}

export function EndDialog({ listing, onClose, onEnded }: Props) {
  const end = useListingAction('end', onEnded)
  return (
    <Dialog opened title="End this listing?" onClose={onClose}>
      <div className={classes.dialog}>
        <p dir="auto">{listing.title}</p>
        <p>Buyers can't buy it while it's ended. You can relist it later.</p>
        <Alert message={end.error && errorText(end.error, 'Failed to end listing')} onDismiss={() => end.reset()} />
        <BusyButton fullWidth data-autofocus isBusy={end.isPending} onClick={() => end.mutate(listing.id)}>
          End Listing
        </BusyButton>
        <Button fullWidth variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
