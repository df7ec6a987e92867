import { useEffect, useRef } from 'react'
import type { DraftImage } from '../draft-image.ts'
import type { Photo } from './photo.ts'
import { usePhotos } from './photo-store.ts'

function newsOf(photo: Photo | undefined, number: number): string | null {
  if (photo?.state.step === 'ready') return `Photo ${number} uploaded`
  return photo?.state.step === 'failed' ? `Photo ${number}: ${photo.state.reason}` : null
}

/** Calls `onNews` with a text for screen readers when an upload is complete or has failed. */
export function useUploadNews(images: readonly DraftImage[], onNews: (text: string) => void): void {
  const photos = usePhotos()
  const told = useRef(new Map<string, string>())
  useEffect(() => {
    for (const [index, { key }] of images.entries()) {
      const news = newsOf(photos.get(key), index + 1)
      const step = photos.get(key)?.state.step
      if (news === null || step === undefined) told.current.delete(key)
      else if (told.current.get(key) !== step) {
        told.current.set(key, step)
        onNews(news)
      }
    }
  }, [images, photos, onNews])
}
