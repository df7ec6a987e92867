import { useCallback, useRef, useState, type SubmitEvent } from 'react'
import { errorText } from '../../../api/client/http.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { serverNow } from '../../../api/clock/server-clock.ts'
import { ButtonLink } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import { BasicInformation } from '../BasicInformation.tsx'
import { isUnfinished, type DraftImage } from '../draft-image.ts'
import type { Draft } from '../draft.ts'
import { Images } from '../Images.tsx'
import { Pricing } from '../pricing/Pricing.tsx'
import { useUploads } from '../uploads/use-uploads.ts'
import { useProblems } from '../use-problems.ts'
import { validateDraft, validateImageUrl, withTypedImage } from '../validate-draft.ts'
import { toDraft, toEdit } from './to-edit.ts'
import { useEditListing } from './use-edit-listing.ts'
import classes from '../CreateListingPage.module.css'

/**
 * The form for editing a listing. The form starts with the values that the listing had when the form was opened and
 * ignores later changes of the listing.
 */
export function EditForm({ listing: current }: { listing: ListingDetail }) {
  const form = useRef<HTMLFormElement>(null)
  const [listing] = useState(current)
  const [draft, setDraft] = useState(() => toDraft(listing))
  const { problems, validate, reset, validateOnBlur } = useProblems(draft)
  const edit = useEditListing(listing.id)
  const onChange = (change: Partial<Draft>) => setDraft((typed) => ({ ...typed, ...change }))
  const onImages = (next: (images: DraftImage[]) => DraftImage[]) =>
    setDraft((typed) => ({ ...typed, images: next(typed.images) }))
  const uploads = useUploads(
    draft.images,
    useCallback(() => form.current?.requestSubmit(), []),
  )
  const section = { draft, problems, onChange }

  function addImage() {
    if (validateImageUrl(draft) === null) reset('imageUrl')
    else validate(['imageUrl'])
    setDraft(withTypedImage(draft))
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const complete = withTypedImage(draft)
    setDraft(complete)
    validate(Array.from(event.currentTarget.elements, (field) => field.getAttribute('name') ?? ''))
    const [firstInvalid] = Object.keys(validateDraft(complete, new Date(serverNow())))
    const isUploading = complete.images.some(isUnfinished)
    uploads.setIsWaiting(firstInvalid === undefined && isUploading)
    if (firstInvalid !== undefined) form.current?.querySelector<HTMLElement>(`[name="${firstInvalid}"]`)?.focus()
    else if (!isUploading) edit.mutate(toEdit(listing, complete))
  }

  const hasFailed = uploads.isWaiting && uploads.failed.length > 0
  const isFinishing = uploads.isWaiting && uploads.running > 0

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The blur events of all fields bubble to the form.
    <form
      ref={form}
      noValidate
      className={classes.form}
      onSubmit={submit}
      onBlur={({ target }) => validateOnBlur(target.getAttribute('name') ?? '')}
    >
      <BasicInformation {...section} />
      <Pricing {...section} isEdit />
      <Images {...section} onAdd={addImage} onImages={onImages} />
      <Alert message={edit.error && errorText(edit.error, 'Failed to save listing')} onDismiss={() => edit.reset()} />
      <Alert
        message={hasFailed ? "A photo wasn't uploaded. Retry or remove it, then save again." : null}
        onDismiss={() => uploads.setIsWaiting(false)}
      />
      <BusyButton type="submit" size="lg" className={classes.submit} isBusy={edit.isPending || isFinishing}>
        Save Changes
      </BusyButton>
      <ButtonLink to={`/listing/${listing.id}`} variant="subtle" size="lg" className={classes.submit}>
        Cancel
      </ButtonLink>
    </form>
  )
}
