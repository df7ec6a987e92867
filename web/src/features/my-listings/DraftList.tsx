import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { StoredDraft } from '../../api/client/types.ts'
import { draftsQuery } from '../../api/queries/drafts.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { fullDate } from '../../rules/time.ts'
import { Button, ButtonLink } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { VisuallyHidden } from '../../ui/controls/VisuallyHidden.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { RowPicture } from '../../ui/listing/RowPicture.tsx'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import { summarizeDraft } from './draft-summary.ts'
import classes from './DraftList.module.css'

const DeleteDraftDialog = lazy(async () => ({
  default: (await import('./DeleteDraftDialog.tsx')).DeleteDraftDialog,
}))

function LoadFailed() {
  return (
    <EmptyState icon="cloud" heading={<h2>Your drafts could not be loaded</h2>}>
      <p>We will keep trying. You can also reload the page.</p>
    </EmptyState>
  )
}

function NoDrafts() {
  return (
    <EmptyState icon="box" heading={<h2>No drafts</h2>}>
      <p>Save a draft in the form, and finish it here later.</p>
      <ButtonLink to="/create-listing">Sell an item</ButtonLink>
    </EmptyState>
  )
}

function DraftRow({ draft, onDelete }: { draft: StoredDraft; onDelete: () => void }) {
  const { title, picture } = summarizeDraft(draft)
  return (
    <li className={classes.row}>
      <RowPicture src={picture} />
      <div className={classes.what}>
        <h3 className={classes.title} dir="auto">
          {title}
        </h3>
        <p className={classes.saved}>
          Saved <RelativeTime at={draft.updated_at}>{fullDate(new Date(draft.updated_at))}</RelativeTime>
        </p>
      </div>
      <div className={classes.actions}>
        <ButtonLink
          to={`/create-listing?draft=${draft.id}`}
          variant="default"
          size="sm"
          aria-label={`Continue ${title}`}
        >
          Continue
        </ButtonLink>
        <Button variant="default" size="sm" aria-label={`Delete ${title}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  )
}

/** The user's drafts, most recently saved first. */
export function DraftList({ onDone }: { onDone: (message: string) => void }) {
  const list = useQuery(draftsQuery)
  const [deleting, setDeleting] = useState<StoredDraft | null>(null)
  const drafts = list.data
  if (drafts === undefined) return isFirstLoad(list) ? <Skeleton className={classes.loading} /> : <LoadFailed />
  if (drafts.length === 0) return <NoDrafts />
  return (
    <>
      <VisuallyHidden component="h2">Your drafts</VisuallyHidden>
      <ul className={classes.rows}>
        {drafts.map((draft) => (
          <DraftRow key={draft.id} draft={draft} onDelete={() => setDeleting(draft)} />
        ))}
      </ul>
      <Suspense>
        {deleting !== null && (
          <DeleteDraftDialog
            draft={deleting}
            onClose={() => setDeleting(null)}
            onDeleted={() => onDone('The draft was deleted.')}
          />
        )}
      </Suspense>
    </>
  )
}
