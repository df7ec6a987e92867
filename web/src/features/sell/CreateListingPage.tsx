import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type SubmitEvent } from 'react'
import { errorText } from '../../api/http.ts'
import { categoriesQuery } from '../../api/queries.ts'
import { serverNow } from '../../api/server-clock.ts'
import { useDraft } from '../../session/use-draft.ts'
import { Alert } from '../../ui/Alert.tsx'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { ListingCard } from '../../ui/ListingCard.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { usePageHead } from '../../ui/use-page-head.ts'
import { BasicInformation } from './BasicInformation.tsx'
import {
  problemOfImage,
  problemsOf,
  readDraft,
  toNewListing,
  withTypedImage,
  type Draft,
  type Problems,
} from './draft.ts'
import { Images } from './Images.tsx'
import { toPreview } from './preview.ts'
import { Pricing } from './Pricing.tsx'
import { useCreateListing } from './use-create-listing.ts'
import classes from './CreateListingPage.module.css'

function Preview({ draft }: { draft: Draft }) {
  const { data: categories } = useQuery(categoriesQuery)
  const category = categories?.find(({ id }) => String(id) === draft.categoryId)
  return (
    <aside aria-label="Preview" className={classes.preview}>
      <p className={classes.previewLabel}>How buyers see it</p>
      <div inert>
        <ListingCard listing={toPreview(draft, category?.name ?? '', new Date(serverNow()))} />
      </div>
    </aside>
  )
}

export function CreateListingPage() {
  usePageHead('Sell an item | Marketplace')
  const form = useRef<HTMLFormElement>(null)
  const [kept, setKept] = useDraft('listing')
  const draft = readDraft(kept)
  const [problems, setProblems] = useState<Problems>({})
  const listing = useCreateListing(() => setKept(''))
  const onChange = (change: Partial<Draft>) => setKept((now) => JSON.stringify({ ...readDraft(now), ...change }))
  const section = { draft, problems, onChange }

  function addImage() {
    setProblems({ ...problems, imageUrl: problemOfImage(draft) ?? undefined })
    onChange(withTypedImage(draft))
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const ready = withTypedImage(draft)
    onChange(ready)
    const found = problemsOf(ready, new Date(serverNow()))
    setProblems(found)
    const [firstWrong] = Object.keys(found)
    if (firstWrong !== undefined) form.current?.querySelector<HTMLElement>(`[name="${firstWrong}"]`)?.focus()
    else if (!listing.isPending) listing.mutate(toNewListing(ready))
  }

  return (
    <>
      <PageHeading>Sell an item</PageHeading>
      <div className={classes.columns}>
        <form ref={form} noValidate className={classes.form} onSubmit={submit}>
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
