/** The state of a photo, from the moment the user chooses it until the server has processed its upload. */
export type PhotoState =
  | { step: 'preparing' | 'waiting' | 'processing' }
  | { step: 'uploading'; sent: number }
  | { step: 'ready'; picture: UploadedPicture }
  | { step: 'failed'; reason: string; canRetry: boolean }

export interface Photo {
  /** Identifies the photo on this device and in the draft. */
  key: string
  /** Id of the user who added the photo. */
  owner: string
  /** The photo as a JPEG for the upload; null until the JPEG is ready. */
  file: Blob | null
  /** An object URL of `file`. */
  preview: string | null
  state: PhotoState
}

/** The parts of an uploaded picture that the form uses. */
export interface UploadedPicture {
  id: string
  url: string
}

export const maxUploadBytes = 12 * 1024 * 1024
export const minSide = 200

export const photoErrors = {
  tooLarge: 'This photo is larger than 12 MB.',
  type: 'Use a JPEG, PNG, WebP or AVIF photo.',
  heic: "This browser can't open HEIC photos. Export the photo as JPEG and try again.",
  tooSmall: "This photo is too small. Use one that's at least 200 × 200 pixels.",
  unreadable: "We couldn't read this photo.",
  notAllowed: "This photo isn't allowed.",
  notSent: "We couldn't upload this photo.",
  lost: "This photo wasn't uploaded. Remove it and add it again.",
}

/** Error messages by the code with which the server rejects a photo. */
const messagesByReason: Record<string, string> = {
  picture_too_large: photoErrors.tooLarge,
  too_large: photoErrors.tooLarge,
  picture_type: photoErrors.type,
  wrong_type: photoErrors.type,
  too_small: photoErrors.tooSmall,
  not_allowed: photoErrors.notAllowed,
}

export function messageOf(reason: string | null): string {
  return messagesByReason[reason ?? ''] ?? photoErrors.unreadable
}

/** JPEG must be first, because Safari converts a HEIC photo to the first type that a file input accepts. */
export const acceptedTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']

export function isHeic({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)
}
