import { useSortable } from '@dnd-kit/sortable'
import { IconX } from '@tabler/icons-react'
import { ActionIcon } from '../../../ui/controls/ActionIcon.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Picture } from '../../../ui/listing/Picture.tsx'
import type { DraftImage } from '../draft-image.ts'
import type { Photo } from '../uploads/photo.ts'
import type { PhotoActions } from './photo-props.ts'
import { PhotoMenu } from './PhotoMenu.tsx'
import { retryPhoto } from '../uploads/uploads.ts'
import classes from './Photos.module.css'

interface Props {
  image: DraftImage
  /** The photo's upload; undefined if the photo is an image URL or was uploaded before the page was reloaded. */
  photo: Photo | undefined
  index: number
  actions: PhotoActions
}

function Progress({ photo, number }: { photo: Photo; number: number }) {
  const { state } = photo
  if (state.step === 'ready' || state.step === 'failed') return null
  const sent = state.step === 'uploading' && state.sent < 1 ? state.sent : undefined
  return <progress className={classes.progress} aria-label={`Uploading photo ${number}`} value={sent} />
}

function Failure({ photo, number }: { photo: Photo; number: number }) {
  if (photo.state.step !== 'failed') return null
  return (
    <div className={classes.failure}>
      <p>{photo.state.reason}</p>
      {photo.state.canRetry && (
        <Button size="sm" variant="default" aria-label={`Retry photo ${number}`} onClick={() => retryPhoto(photo.key)}>
          Retry
        </Button>
      )}
    </div>
  )
}

export function PhotoTile({ image, photo, index, actions }: Props) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: image.key,
  })
  const number = index + 1
  const preview = photo?.preview ?? image.url
  const translate = transform === null ? undefined : `${transform.x}px ${transform.y}px`
  return (
    <li
      ref={setNodeRef}
      className={classes.tile}
      data-dragging={isDragging || undefined}
      style={{ translate, transition }}
    >
      <div className={classes.frame}>
        <Picture src={preview} alt={`Image ${number}`} />
        <button
          type="button"
          ref={setActivatorNodeRef}
          className={classes.handle}
          {...attributes}
          {...listeners}
          aria-label={`Reorder photo ${number}`}
        />
        {index === 0 && <span className={classes.main}>Main photo</span>}
        <ActionIcon
          className={`${classes.remove} ${classes.control}`}
          size={32}
          aria-label={`Remove image ${number}`}
          onClick={actions.remove}
        >
          <IconX size={18} aria-hidden="true" />
        </ActionIcon>
        {photo !== undefined && <Progress photo={photo} number={number} />}
      </div>
      <PhotoMenu image={image} preview={preview} index={index} actions={actions} />
      {photo !== undefined && <Failure photo={photo} number={number} />}
    </li>
  )
}
