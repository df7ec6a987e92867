import { IconPhotoPlus } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useAuth } from '../../session/use-auth.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { LoadBoundary } from '../../ui/feedback/LoadBoundary.tsx'
import { withTrailingButton } from '../../ui/inputs/with-trailing-button.tsx'
import { isFull, maxImages, type DraftImage } from './draft-image.ts'
import type { SectionProps } from './section.ts'
import classes from './CreateListingPage.module.css'

const PhotoSection = lazy(async () => ({ default: (await import('./photos/PhotoSection.tsx')).PhotoSection }))

export type ImagesProps = SectionProps & {
  onAdd: () => void
  onImages: (change: (images: DraftImage[]) => DraftImage[]) => void
}

function Photos({ draft, onImages }: Pick<ImagesProps, 'draft' | 'onImages'>) {
  const { user } = useAuth()
  const loading = <Skeleton height={72} />
  if (user === null) return loading
  return (
    <LoadBoundary
      fallback={<p className={classes.note}>We couldn't load the photo tools. Reload the page to add photos.</p>}
    >
      <Suspense fallback={loading}>
        <PhotoSection
          owner={user.id}
          title={draft.title}
          images={draft.images}
          isSaved={draft.draftId !== ''}
          onImages={onImages}
        />
      </Suspense>
    </LoadBoundary>
  )
}

export function Images({ draft, problems, onChange, onAdd, onImages }: ImagesProps) {
  const hasMaximum = isFull(draft.images)
  return (
    <section aria-labelledby="images" className={classes.section}>
      <h2 id="images">Images</h2>
      <Photos draft={draft} onImages={onImages} />
      <h3>Add by URL</h3>
      <TextInput
        type="url"
        name="imageUrl"
        label="Image URL"
        description={
          hasMaximum
            ? `You've added the maximum of ${maxImages} photos`
            : 'Add up to 12 photos. The first is the main photo.'
        }
        placeholder="https://"
        disabled={hasMaximum}
        value={draft.imageUrl}
        error={problems.imageUrl}
        onChange={(event) => onChange({ imageUrl: event.currentTarget.value })}
        // Enter adds the image instead of submitting the form.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onAdd()
        }}
        inputContainer={withTrailingButton(
          <Button
            variant="default"
            disabled={hasMaximum || draft.imageUrl.trim() === ''}
            leftSection={<IconPhotoPlus size={18} aria-hidden="true" />}
            onClick={onAdd}
          >
            Add Image
          </Button>,
        )}
      />
      <p className={classes.note}>Photos added by URL stay on the other website, which can see who views them.</p>
    </section>
  )
}
