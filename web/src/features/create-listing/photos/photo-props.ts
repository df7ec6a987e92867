import type { DraftImage } from '../draft-image.ts'
import type { Change } from '../uploads/prepare-photo.ts'

export interface PhotoSectionProps {
  /** Id of the signed-in user. */
  owner: string
  title: string
  images: DraftImage[]
  /**
   * True if the server stores a copy of the draft; removing a photo then does not delete the uploaded picture, because
   * the stored copy still contains the picture.
   */
  isSaved: boolean
  onImages: (change: (images: DraftImage[]) => DraftImage[]) => void
}

export interface PhotoActions {
  /** Returns whether the photo can be moved to this index. */
  canMoveTo: (to: number) => boolean
  moveTo: (to: number) => void
  /** Replaces the photo with a cropped or rotated copy. */
  change: (change: Change) => void
  remove: () => void
}
