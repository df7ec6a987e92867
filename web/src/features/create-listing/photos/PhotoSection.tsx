import { lazy, Suspense, useEffect, useState } from 'react'
import { Skeleton } from '../../../ui/controls/Skeleton.tsx'
import { VisuallyHidden } from '../../../ui/controls/VisuallyHidden.tsx'
import { isUnfinished, maxImages, uploadedImage } from '../draft-image.ts'
import { AltTexts } from './AltTexts.tsx'
import type { PhotoSectionProps } from './photo-props.ts'
import { PhotoPicker } from './PhotoPicker.tsx'
import { usePhotos } from '../uploads/photo-store.ts'
import { deleteOldPhotos } from '../uploads/saved-photos.ts'
import { addPhoto, resumePhoto } from '../uploads/uploads.ts'
import { useUploadNews } from '../uploads/use-upload-news.ts'

// Loaded only when the draft has a photo, because the drag-and-drop library is 16 kB.
const PhotoTiles = lazy(async () => ({ default: (await import('./PhotoTiles.tsx')).PhotoTiles }))

/** Writes the ids of uploaded pictures into the draft, and continues interrupted uploads. */
function useUploads({ owner, images, onImages }: PhotoSectionProps): void {
  const photos = usePhotos()
  useEffect(() => {
    for (const { key } of images.filter(isUnfinished)) {
      const state = photos.get(key)?.state
      if (state === undefined) void resumePhoto(owner, key)
      if (state?.step !== 'ready') continue
      const { id, url } = state.picture
      onImages((current) => current.map((image) => (image.key === key ? { ...image, url, pictureId: id } : image)))
    }
  }, [owner, images, photos, onImages])
  useEffect(() => {
    void deleteOldPhotos()
  }, [])
}

/** The photos of a draft. The user can add, reorder, crop, rotate and remove photos and edit their alt texts. */
export function PhotoSection(props: PhotoSectionProps) {
  const { owner, title, images, onImages } = props
  const [message, setMessage] = useState('')
  useUploads(props)
  useUploadNews(images, setMessage)
  const room = maxImages - images.length
  function add(files: File[]) {
    const added = files.slice(0, room).map((file) => uploadedImage(addPhoto(owner, file)))
    onImages((current) => [...current, ...added])
    const left = files.length - added.length
    setMessage(
      left === 0 ? `${countPhotos(added.length)} added` : `You can add up to ${maxImages} photos. ${left} left out.`,
    )
  }
  return (
    <>
      <PhotoPicker isFull={room <= 0} onFiles={add} />
      {images.length > 0 && (
        <>
          <Suspense fallback={<Skeleton height={120} />}>
            <PhotoTiles {...props} onMessage={setMessage} />
          </Suspense>
          <AltTexts title={title} images={images} onImages={onImages} />
        </>
      )}
      <VisuallyHidden component="output">{message}</VisuallyHidden>
    </>
  )
}

function countPhotos(count: number): string {
  return count === 1 ? '1 photo' : `${count} photos`
}
