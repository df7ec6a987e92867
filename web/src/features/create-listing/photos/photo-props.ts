import type { DraftImage } from '../draft-image.ts'
import type { Change } from '../uploads/prepare-photo.ts'

export interface PhotoSectionProps {
  /** Id of the signed-in user. */
  owner: string
  title: string
  images: DraftImage[]
  /** True if the server stores the draft. Its pictures are then kept when photos are removed from the form. */
  isSaved: boolean
  onImages: (change: (images: DraftImage[]) => DraftImage[]) => void
}

export interface PhotoActions {
  moveTo: (to: number) => void
  /** Replaces the photo by a cropped or rotated copy. */
  change: (change: Change) => void
  remove: () => void
}
