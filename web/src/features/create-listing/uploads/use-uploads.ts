import { useEffect, useState } from 'react'
import { isUnfinished, isUpload, type DraftImage } from '../draft-image.ts'
import { usePhotos } from './photo-store.ts'

export interface Uploads {
  /** Number of uploads that are not complete and have not failed. */
  running: number
  /** The photos whose uploads have failed. */
  failed: DraftImage[]
  /** True while a submission waits for uploads. */
  isWaiting: boolean
  /** Sets whether `submit` is called as soon as all uploads are complete. */
  setIsWaiting: (isWaiting: boolean) => void
}

/** Tracks the uploads of a draft. A submission during an upload waits until all uploads are complete. */
export function useUploads(images: readonly DraftImage[], submit: () => void): Uploads {
  const photos = usePhotos()
  const [isWaiting, setIsWaiting] = useState(false)
  const unfinished = images.filter(isUnfinished)
  const failed = unfinished.filter(({ key }) => photos.get(key)?.state.step === 'failed')
  const isDone = isWaiting && unfinished.length === 0
  useEffect(() => {
    if (isDone) submit()
  }, [isDone, submit])
  return { running: unfinished.length - failed.length, failed, isWaiting, setIsWaiting }
}

/** Removes photos from this device after their listing was created. */
export async function forgetPhotos(images: readonly DraftImage[]): Promise<void> {
  const uploads = images.filter(isUpload)
  if (uploads.length === 0) return
  const { forgetPhoto } = await import('./uploads.ts')
  for (const { key } of uploads) forgetPhoto(key)
}
