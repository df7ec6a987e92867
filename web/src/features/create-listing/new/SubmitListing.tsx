import type { ReactNode } from 'react'
import { errorText } from '../../../api/client/http.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import type { useCreateListing } from './use-create-listing.ts'
import type { Uploads } from '../uploads/use-uploads.ts'
import classes from '../CreateListingPage.module.css'

function countPhotos(count: number): string {
  return count === 1 ? '1 photo' : `${count} photos`
}

interface Props {
  listing: ReturnType<typeof useCreateListing>
  uploads: Uploads
  /** Removes the photos whose uploads have failed, so that the listing is published without them. */
  onPublishWithout: () => void
  /** Buttons that are shown next to Create Listing. */
  children: ReactNode
}

/**
 * The button that creates the listing after all uploads are complete. If uploads have failed, the seller can publish
 * the listing without those photos.
 */
export function SubmitListing({ listing, uploads, onPublishWithout, children }: Props) {
  const { running, failed, isWaiting } = uploads
  const isFinishing = isWaiting && running > 0
  return (
    <>
      <Alert
        message={listing.error && errorText(listing.error, 'Failed to create listing')}
        onDismiss={() => listing.reset()}
      />
      {isWaiting && failed.length > 0 && (
        <div role="alert" className={classes.uploadsFailed}>
          <p>{failed.length === 1 ? "1 photo wasn't uploaded." : `${countPhotos(failed.length)} weren't uploaded.`}</p>
          <Button variant="default" onClick={onPublishWithout}>
            Publish without these photos
          </Button>
        </div>
      )}
      <div className={classes.buttons}>
        <BusyButton type="submit" size="lg" isBusy={listing.isPending || isFinishing}>
          {isFinishing ? `Finishing ${countPhotos(running)}…` : 'Create Listing'}
        </BusyButton>
        {children}
      </div>
    </>
  )
}
