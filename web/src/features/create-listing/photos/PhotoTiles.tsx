import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
  type Announcements,
  type DragEndEvent,
  type UniqueIdentifier,
} from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { canMoveImage, isUpload, moveImage, uploadedImage, type DraftImage } from '../draft-image.ts'
import { choosePhotosId } from './PhotoPicker.tsx'
import type { Photo } from '../uploads/photo.ts'
import type { PhotoActions, PhotoSectionProps } from './photo-props.ts'
import { PhotoTile } from './PhotoTile.tsx'
import { usePhotos } from '../uploads/photo-store.ts'
import { addEdited, removePhoto } from '../uploads/uploads.ts'
import classes from './Photos.module.css'

const instructions = {
  draggable:
    'To move a photo, press Space, then the arrow keys, then Space again. Press Escape to cancel. The menu of a photo moves it too.',
}

type Props = PhotoSectionProps & { onMessage: (message: string) => void }

/** Returns a function that tells whether a photo of the draft can be moved to another place. */
function moveRule(images: DraftImage[], photos: ReadonlyMap<string, Photo>) {
  const isUnreadable = ({ key, url }: DraftImage) => {
    const photo = photos.get(key)
    return photo?.state.step === 'failed' && photo.preview === null && url === null
  }
  const unreadable = new Set(images.filter(isUnreadable).map(({ key }) => key))
  return (from: number, to: number) => canMoveImage(images, { from, to }, unreadable)
}

type CanMove = ReturnType<typeof moveRule>

/** Texts for screen readers while a photo is dragged. */
function announcements(keys: string[], canMove: CanMove): Announcements {
  const indexOf = (id: UniqueIdentifier) => keys.indexOf(String(id))
  const place = (id: UniqueIdentifier) => `position ${indexOf(id) + 1} of ${keys.length}`
  return {
    onDragStart: ({ active }) => `Picked up the photo at ${place(active.id)}`,
    onDragOver: ({ over }) => (over === null ? undefined : `The photo is over ${place(over.id)}`),
    onDragEnd: ({ active, over }) =>
      over === null || !canMove(indexOf(active.id), indexOf(over.id))
        ? 'The photo was not moved'
        : `The photo was moved to ${place(over.id)}`,
    onDragCancel: () => 'The photo was not moved',
  }
}

/**
 * Sets the focus after the photo at `index` was removed: to the photo that took its place, or else to the last photo.
 * If no photo is left, focuses the button that adds photos.
 */
function focusAfterRemoval(index: number): void {
  requestAnimationFrame(() => {
    const handles = document.querySelectorAll<HTMLElement>(`.${classes.handle}`)
    const next = handles[Math.min(index, handles.length - 1)] ?? document.getElementById(choosePhotosId)
    next?.focus()
  })
}

/** Returns a function that creates the menu actions for the photo at an index. */
function useActions(
  { owner, images, isSaved, onImages, onMessage }: Props,
  canMove: CanMove,
): (index: number) => PhotoActions {
  return (index) => {
    const image = images[index]
    // The uploaded picture is not deleted if the draft is saved on the server, because that draft still contains it.
    const remove = ({ key, pictureId }: DraftImage) => removePhoto(key, isSaved ? null : pictureId)
    const moveTo = (to: number) => {
      onImages((current) => moveImage(current, index, to))
      onMessage(to === 0 ? 'This is now the main photo' : `Moved to position ${to + 1} of ${images.length}`)
    }
    return {
      canMoveTo: (to) => canMove(index, to),
      moveTo,
      change: (change) => {
        if (image === undefined) return
        const copy = { ...uploadedImage(addEdited(owner, image, change)), alt: image.alt }
        onImages((current) => current.map((other) => (other.key === image.key ? copy : other)))
        remove(image)
        onMessage(`Photo ${index + 1} ${change.area === undefined ? 'rotated' : 'cropped'}`)
      },
      remove: () => {
        if (image === undefined) return
        onImages((current) => current.filter(({ key }) => key !== image.key))
        if (isUpload(image)) remove(image)
        onMessage(`Photo ${index + 1} removed`)
        focusAfterRemoval(index)
      },
    }
  }
}

/**
 * The photos of a draft. The user can change their order with the mouse, by touch, with the keyboard and in the menu.
 */
export function PhotoTiles(props: Props) {
  const { images, onImages } = props
  const photos = usePhotos()
  const canMove = moveRule(images, photos)
  const actionsOf = useActions(props, canMove)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // Dragging starts after a delay. A finger that moves before the end of the delay scrolls the page.
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const keys = images.map(({ key }) => key)
  function drop({ active, over }: DragEndEvent) {
    if (over === null) return
    const [from, to] = [keys.indexOf(String(active.id)), keys.indexOf(String(over.id))]
    if (canMove(from, to)) onImages((current) => moveImage(current, from, to))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements: announcements(keys, canMove), screenReaderInstructions: instructions }}
      onDragEnd={drop}
    >
      <SortableContext items={keys} strategy={rectSortingStrategy}>
        <ul className={classes.tiles} aria-label="Added images">
          {images.map((image, index) => (
            <PhotoTile
              key={image.key}
              image={image}
              photo={photos.get(image.key)}
              index={index}
              actions={actionsOf(index)}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}
