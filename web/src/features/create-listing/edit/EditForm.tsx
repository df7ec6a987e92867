import { useState } from 'react'
import { errorText } from '../../../api/client/http.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { ButtonLink } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import { ListingForm } from '../ListingForm.tsx'
import { useListingForm } from '../use-listing-form.ts'
import { useStoredDraft } from '../use-stored-draft.ts'
import { toDraft, toEdit } from './to-edit.ts'
import { useEditListing } from './use-edit-listing.ts'
import classes from '../CreateListingPage.module.css'

/**
 * The form for editing a listing. It starts with the values that the listing has when the form is opened, and ignores
 * later changes to the listing. Unsaved edits in this tab replace these values, unless they were made to an earlier
 * version of the listing.
 */
export function EditForm({ listing: current }: { listing: ListingDetail }) {
  const [listing] = useState(current)
  const stored = useStoredDraft(`listing:edit:${listing.id}:${listing.terms_version}`, toDraft(listing))
  const edit = useEditListing(listing.id, stored.clear)
  const form = useListingForm(stored, (complete) => edit.mutate(toEdit(listing, complete)))
  const { running, failed, isWaiting, setIsWaiting } = form.uploads
  return (
    <ListingForm form={form} isEdit>
      <Alert message={edit.error && errorText(edit.error, 'Failed to save listing')} onDismiss={() => edit.reset()} />
      <Alert
        message={
          isWaiting && failed.length > 0 ? "A photo wasn't uploaded. Retry or remove it, then save again." : null
        }
        onDismiss={() => setIsWaiting(false)}
      />
      <div className={classes.buttons}>
        <BusyButton type="submit" size="lg" isBusy={edit.isPending || (isWaiting && running > 0)}>
          Save Changes
        </BusyButton>
        <ButtonLink to={`/listing/${listing.id}`} variant="subtle" size="lg" onClick={stored.clear}>
          Cancel
        </ButtonLink>
      </div>
    </ListingForm>
  )
}
