import { useCallback, useRef, type RefObject, type SubmitEvent } from 'react'
import { serverNow } from '../../api/clock/server-clock.ts'
import { isUnfinished } from './draft-image.ts'
import type { Draft } from './draft.ts'
import type { SectionProps } from './section.ts'
import type { ImagesProps } from './Images.tsx'
import { useUploads, type Uploads } from './uploads/use-uploads.ts'
import { useProblems } from './use-problems.ts'
import { validateDraft, validateImageUrl, withTypedImage } from './validate-draft.ts'

export interface DraftState {
  draft: Draft
  /** Changes the draft; `next` receives the latest draft, which may be newer than the rendered draft. */
  change: (next: (current: Draft) => Draft) => void
}

export interface ListingFormState {
  ref: RefObject<HTMLFormElement | null>
  section: SectionProps
  images: Pick<ImagesProps, 'onAdd' | 'onImages'>
  uploads: Uploads
  submit: (event: SubmitEvent<HTMLFormElement>) => void
  validateOnBlur: (name: string) => void
}

/**
 * The state of the form for creating or editing a listing. A submission marks all invalid fields and focuses the first
 * one. `onValid` is called with a valid draft when all of its uploads are complete.
 */
export function useListingForm({ draft, change }: DraftState, onValid: (draft: Draft) => void): ListingFormState {
  const ref = useRef<HTMLFormElement>(null)
  const { problems, validate, reset, validateOnBlur } = useProblems(draft)
  const uploads = useUploads(
    draft.images,
    useCallback(() => ref.current?.requestSubmit(), []),
  )

  function addImage() {
    if (validateImageUrl(draft) === null) reset('imageUrl')
    else validate(['imageUrl'])
    change(withTypedImage)
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const complete = withTypedImage(draft)
    change(withTypedImage)
    validate(Array.from(event.currentTarget.elements, (field) => field.getAttribute('name') ?? ''))
    const [firstInvalid] = Object.keys(validateDraft(complete, new Date(serverNow())))
    const isUploading = complete.images.some(isUnfinished)
    uploads.setIsWaiting(firstInvalid === undefined && isUploading)
    if (firstInvalid !== undefined) ref.current?.querySelector<HTMLElement>(`[name="${firstInvalid}"]`)?.focus()
    else if (!isUploading) onValid(complete)
  }

  return {
    ref,
    section: { draft, problems, onChange: (changed) => change((current) => ({ ...current, ...changed })) },
    images: {
      onAdd: addImage,
      onImages: (next) => change((current) => ({ ...current, images: next(current.images) })),
    },
    uploads,
    submit,
    validateOnBlur,
  }
}
