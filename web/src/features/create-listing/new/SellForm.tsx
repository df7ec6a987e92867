import { toNewListing, type Draft } from '../draft.ts'
import { ListingForm } from '../ListingForm.tsx'
import { Preview } from '../preview/Preview.tsx'
import { SaveDraft, SaveDraftFailure } from './SaveDraft.tsx'
import { SubmitListing } from './SubmitListing.tsx'
import { useCreateListing } from './use-create-listing.ts'
import { useListingForm } from '../use-listing-form.ts'
import { useSaveDraft } from './use-save-draft.ts'
import { useStoredDraft } from '../use-stored-draft.ts'
import { forgetPhotos } from '../uploads/use-uploads.ts'
import classes from '../CreateListingPage.module.css'

interface Props {
  /** Name under which this tab stores unsaved input. */
  name: string
  initial: Draft
}

export function SellForm({ name, initial }: Props) {
  const stored = useStoredDraft(name, initial)
  const { draft } = stored
  const listing = useCreateListing(() => {
    stored.clear()
    void forgetPhotos(draft.images)
  })
  const saving = useSaveDraft(stored)
  const form = useListingForm(stored, (complete) => listing.mutate(toNewListing(complete)))

  function removeFailed() {
    const { failed } = form.uploads
    form.images.onImages((images) => images.filter(({ key }) => failed.every((other) => other.key !== key)))
    void forgetPhotos(failed)
  }

  return (
    <div className={classes.columns}>
      <ListingForm form={form}>
        <SaveDraftFailure saving={saving} />
        <SubmitListing listing={listing} uploads={form.uploads} onPublishWithout={removeFailed}>
          <SaveDraft saving={saving} stored={stored} />
        </SubmitListing>
      </ListingForm>
      <Preview draft={draft} />
    </div>
  )
}
