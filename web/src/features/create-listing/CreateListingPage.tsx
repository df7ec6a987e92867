import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { emptyDraft } from './draft.ts'
import { SellForm } from './new/SellForm.tsx'

const StoredDraft = lazy(async () => ({ default: (await import('./new/StoredDraft.tsx')).StoredDraft }))
const SimilarListing = lazy(async () => ({ default: (await import('./new/SimilarListing.tsx')).SimilarListing }))

function Content() {
  const [search] = useSearchParams()
  const draftId = search.get('draft')
  const similarId = search.get('similar')
  if (draftId !== null) return <StoredDraft key={draftId} id={draftId} />
  if (similarId !== null) return <SimilarListing key={similarId} id={similarId} />
  return <SellForm name="listing" initial={emptyDraft} />
}

export function CreateListingPage() {
  usePageHead('Sell an item | Marketplace')
  return (
    <>
      <PageHeading>Sell an item</PageHeading>
      <Suspense fallback={<Skeleton height={480} />}>
        <Content />
      </Suspense>
    </>
  )
}
