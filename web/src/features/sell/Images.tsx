import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPhotoPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { beside } from '../../ui/beside.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { readImageUrl } from './draft.ts'
import type { SectionProps } from './section.ts'
import classes from './CreateListingPage.module.css'

const maxImages = 12

function Added({ images, onRemove }: { images: string[]; onRemove: (url: string) => void }) {
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

function problemWith(url: string | null, images: string[]): string | null {
  if (url === null) return 'Enter the address of a picture, starting with https://'
  if (url.length > 2048) return 'This address is too long'
  return images.includes(url) ? 'This picture is already added' : null
}

export function Images({ draft, onChange }: SectionProps) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const isFull = draft.images.length >= maxImages

  function add() {
    const url = readImageUrl(typed)
    const found = problemWith(url, draft.images)
    setProblem(found)
    if (found !== null || url === null) return
    onChange({ images: [...draft.images, url] })
    setTyped('')
  }

  return (
    <section aria-labelledby="images" className={classes.section}>
      <h2 id="images">Images</h2>
      {draft.images.length > 0 && (
        <Added
          images={draft.images}
          onRemove={(url) => onChange({ images: draft.images.filter((other) => other !== url) })}
        />
      )}
      <TextInput
        type="url"
        name="imageUrl"
        label="Image URL"
        description={
          isFull ? `That is all ${maxImages}` : 'Up to 12 pictures, added one at a time. The first is the main photo.'
        }
        placeholder="https://"
        disabled={isFull}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
        // Enter adds the picture; it must not send the whole form.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
        inputContainer={beside(
          <Button
            variant="default"
            disabled={isFull || typed.trim() === ''}
            leftSection={<IconPhotoPlus size={18} aria-hidden="true" />}
            onClick={add}
          >
            Add Image
          </Button>,
        )}
      />
    </section>
  )
}
