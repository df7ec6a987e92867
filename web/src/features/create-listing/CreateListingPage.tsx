import { useCallback, useRef, type SubmitEvent } from 'react'
import { serverNow } from '../../api/clock/server-clock.ts'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { BasicInformation } from './BasicInformation.tsx'
import { isUnfinished } from './draft-image.ts'
import { toNewListing } from './draft.ts'
import { validateImageUrl, validateDraft, withTypedImage } from './validate-draft.ts'
import { Images } from './Images.tsx'
import { Preview } from './preview/Preview.tsx'
import { Pricing } from './pricing/Pricing.tsx'
import { SubmitListing } from './SubmitListing.tsx'
import { useCreateListing } from './use-create-listing.ts'
import { useProblems } from './use-problems.ts'
import { useStoredDraft } from './use-stored-draft.ts'
import { forgetPhotos, useUploads } from './uploads/use-uploads.ts'
import classes from './CreateListingPage.module.css'

export function CreateListingPage() {
  usePageHead('Sell an item | Marketplace')
  const form = useRef<HTMLFormElement>(null)
  const { draft, onChange, onImages, clear } = useStoredDraft()
  const { problems, validate, reset, validateOnBlur } = useProblems(draft)
  const listing = useCreateListing(() => {
    clear()
    void forgetPhotos(draft.images)
  })
  const uploads = useUploads(
    draft.images,
    useCallback(() => form.current?.requestSubmit(), []),
  )
  const section = { draft, problems, onChange }

  function addImage() {
    if (validateImageUrl(draft) === null) reset('imageUrl')
    else validate(['imageUrl'])
    onChange(withTypedImage(draft))
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const complete = withTypedImage(draft)
    onChange(complete)
    validate(Array.from(event.currentTarget.elements, (field) => field.getAttribute('name') ?? ''))
    const [firstInvalid] = Object.keys(validateDraft(complete, new Date(serverNow())))
    const isUploading = complete.images.some(isUnfinished)
    uploads.setIsWaiting(firstInvalid === undefined && isUploading)
    if (firstInvalid !== undefined) form.current?.querySelector<HTMLElement>(`[name="${firstInvalid}"]`)?.focus()
    else if (!isUploading && !listing.isPending) listing.mutate(toNewListing(complete))
  }

  function removeFailed() {
    const { failed } = uploads
    onImages((images) => images.filter(({ key }) => failed.every((other) => other.key !== key)))
    void forgetPhotos(failed)
  }

  return (
    <>
      <PageHeading>Sell an item</PageHeading>
      <div className={classes.columns}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The blur events of all fields bubble to the form. */}
        <form
          ref={form}
          noValidate
          className={classes.form}
          onSubmit={submit}
          onBlur={({ target }) => validateOnBlur(target.getAttribute('name') ?? '')}
        >
          <BasicInformation {...section} />
          <Pricing {...section} />
          <Images {...section} onAdd={addImage} onImages={onImages} />
          <SubmitListing listing={listing} uploads={uploads} onPublishWithout={removeFailed} />
        </form>
        <Preview draft={draft} />
      </div>
    </>
  )
}
