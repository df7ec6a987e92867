import type { DraftImage } from '../draft-image.ts'
import type { Change } from '../uploads/prepare-photo.ts'

export interface PhotoSectionProps {
  /** Id of the signed-in user. */
  owner: string
  title: string
  images: DraftImage[]
  /**
   * True if the draft is saved on the server. The saved draft still contains a photo that is removed from the form, so
   * its uploaded picture is then not deleted.
   */
  isSaved: boolean
  onImages: (change: (images: DraftImage[]) => DraftImage[]) => void
}

export interface PhotoActions {
  moveTo: (to: number) => void
  /** Replaces the photo with a cropped or rotated copy. */
  change: (change: Change) => void
  remove: () => void
}
