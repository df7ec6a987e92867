import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { toNewListing } from './draft.ts'
import { ListingForm } from './ListingForm.tsx'
import { Preview } from './preview/Preview.tsx'
import { SubmitListing } from './SubmitListing.tsx'
import { useCreateListing } from './use-create-listing.ts'
import { useListingForm } from './use-listing-form.ts'
import { useStoredDraft } from './use-stored-draft.ts'
import { forgetPhotos } from './uploads/use-uploads.ts'
import classes from './CreateListingPage.module.css'

export function CreateListingPage() {
  usePageHead('Sell an item | Marketplace')
  const stored = useStoredDraft()
  const { draft } = stored
  const listing = useCreateListing(() => {
    stored.clear()
    void forgetPhotos(draft.images)
  })
  const form = useListingForm(stored, (complete) => listing.mutate(toNewListing(complete)))

  function removeFailed() {
    const { failed } = form.uploads
    form.images.onImages((images) => images.filter(({ key }) => failed.every((other) => other.key !== key)))
    void forgetPhotos(failed)
  }

  return (
    <>
      <PageHeading>Sell an item</PageHeading>
      <div className={classes.columns}>
        <ListingForm form={form}>
          <SubmitListing listing={listing} uploads={form.uploads} onPublishWithout={removeFailed} />
        </ListingForm>
        <Preview draft={draft} />
      </div>
    </>
  )
}
