import { useQuery } from '@tanstack/react-query'
import { useRef, type SubmitEvent } from 'react'
import { errorText } from '../../api/client/http.ts'
import { categoriesQuery } from '../../api/queries/queries.ts'
import { serverNow } from '../../api/clock/server-clock.ts'
import { useDraft } from '../../session/use-draft.ts'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { ListingCard } from '../../ui/listing/ListingCard.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { BasicInformation } from './BasicInformation.tsx'
import { readDraft, toNewListing, type Draft } from './draft.ts'
import { validateImageUrl, validateDraft, withTypedImage } from './validate-draft.ts'
import { Images } from './Images.tsx'
import { toPreview } from './preview.ts'
import { Pricing } from './Pricing.tsx'
import { useCreateListing } from './use-create-listing.ts'
import { useProblems } from './use-problems.ts'
import classes from './CreateListingPage.module.css'

function Preview({ draft }: { draft: Draft }) {
  const { data: categories } = useQuery(categoriesQuery)
  const category = categories?.find(({ id }) => String(id) === draft.categoryId)
  return (
    <aside aria-label="Preview" className={classes.preview}>
      <p className={classes.previewLabel}>Preview</p>
      <div inert>
        <ListingCard listing={toPreview(draft, category?.name ?? '', new Date(serverNow()))} />
      </div>
    </aside>
  )
}

export function CreateListingPage() {
  usePageHead('Sell an item | Marketplace')
  const form = useRef<HTMLFormElement>(null)
  const [stored, setStored] = useDraft('listing')
  const draft = readDraft(stored)
  const { problems, validate, reset, validateOnBlur } = useProblems(draft)
  const listing = useCreateListing(() => setStored(''))
  const onChange = (change: Partial<Draft>) =>
    setStored((current) => JSON.stringify({ ...readDraft(current), ...change }))
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
    if (firstInvalid !== undefined) form.current?.querySelector<HTMLElement>(`[name="${firstInvalid}"]`)?.focus()
    else if (!listing.isPending) listing.mutate(toNewListing(complete))
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
          <Images {...section} onAdd={addImage} />
          <Alert
            message={listing.error && errorText(listing.error, 'Failed to create listing')}
            onDismiss={() => listing.reset()}
          />
          <BusyButton type="submit" size="lg" className={classes.submit} isBusy={listing.isPending}>
            Create Listing
          </BusyButton>
        </form>
        <Preview draft={draft} />
      </div>
    </>
  )
}
