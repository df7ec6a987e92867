import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoredDraft as Stored } from '../../../api/client/types.ts'
import { draftsQuery } from '../../../api/queries/drafts.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { ButtonLink } from '../../../ui/controls/Button.tsx'
import { Skeleton } from '../../../ui/controls/Skeleton.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { toFormDraft } from '../draft.ts'
import { SellForm } from './SellForm.tsx'

/**
 * The form with a draft that is saved on the server. Unsaved changes in this tab take precedence over the saved values.
 */
export function StoredDraft({ id }: { id: string }) {
  const { user } = useAuth()
  // Refetches the drafts when the page opens, because a cached draft may be older than the last save.
  const { data, isFetchedAfterMount } = useQuery({
    ...draftsQuery,
    enabled: user !== null,
    refetchOnMount: 'always',
  })
  if (data === undefined || !isFetchedAfterMount) return <Skeleton height={480} />
  return <Content stored={data.find((draft) => draft.id === id)} />
}

/** Ignores later changes of `stored`, for example if the draft is deleted in another tab. */
function Content({ stored: current }: { stored: Stored | undefined }) {
  const [stored] = useState(current)
  if (stored === undefined) {
    return (
      <EmptyState icon="box" heading={<h2>This draft no longer exists</h2>}>
        <p>It may have been published or deleted.</p>
        <ButtonLink to="/my-listings?status=drafts">Show drafts</ButtonLink>
      </EmptyState>
    )
  }
  return <SellForm name={`listing:${stored.id}`} initial={toFormDraft(stored)} />
}
