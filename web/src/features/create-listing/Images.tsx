import { IconPhotoPlus, IconX } from '@tabler/icons-react'
import { ActionIcon } from '../../ui/controls/ActionIcon.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { withTrailingButton } from '../../ui/inputs/with-trailing-button.tsx'
import { Picture } from '../../ui/listing/Picture.tsx'
import { maxImages } from './validate-draft.ts'
import type { SectionProps } from './section.ts'
import classes from './CreateListingPage.module.css'

function AddedImages({ images, onRemove }: { images: string[]; onRemove: (url: string) => void }) {
  return (
    <ul className={classes.images} aria-label="Added images">
      {images.map((url, index) => (
        <li key={url} className={classes.image}>
          <Picture src={url} alt={`Image ${index + 1}`} />
          {url === images[0] && <span className={classes.main}>Main photo</span>}
          <ActionIcon
            className={classes.remove}
            size={32}
            aria-label={`Remove image ${index + 1}`}
            onClick={() => onRemove(url)}
          >
            <IconX size={18} aria-hidden="true" />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}

export function Images({ draft, problems, onChange, onAdd }: SectionProps & { onAdd: () => void }) {
  const isFull = draft.images.length >= maxImages
  return (
    <section aria-labelledby="images" className={classes.section}>
      <h2 id="images">Images</h2>
      {draft.images.length > 0 && (
        <AddedImages
          images={draft.images}
          onRemove={(url) => onChange({ images: draft.images.filter((other) => other !== url) })}
        />
      )}
      <TextInput
        type="url"
        name="imageUrl"
        label="Image URL"
        description={
          isFull
            ? `You've added the maximum of ${maxImages} photos`
            : 'Add up to 12 photos. The first is the main photo.'
        }
        placeholder="https://"
        disabled={isFull}
        value={draft.imageUrl}
        error={problems.imageUrl}
        onChange={(event) => onChange({ imageUrl: event.currentTarget.value })}
        // The Enter key adds the picture. It must not submit the form.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onAdd()
        }}
        inputContainer={withTrailingButton(
          <Button
            variant="default"
            disabled={isFull || draft.imageUrl.trim() === ''}
            leftSection={<IconPhotoPlus size={18} aria-hidden="true" />}
            onClick={onAdd}
          >
            Add Image
          </Button>,
        )}
      />
    </section>
  )
}
