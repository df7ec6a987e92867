/** A photo in a draft: either an image URL that the seller entered, or a photo that is uploaded from this device. */
export interface DraftImage {
  /** Identifies the photo: the image URL that the seller entered, or the generated key of an uploaded photo. */
  key: string
  /** URL of the photo; null until the upload is complete. */
  url: string | null
  /**
   * Id of the uploaded picture. Null until the upload is complete, and always null for an image URL that the seller
   * entered.
   */
  pictureId: string | null
  /** Alt text. If empty, a default text is used. */
  alt: string
}

export const maxImages = 12
export const maxAltLength = 250

/** Returns whether no further photo can be added. The form then ignores the text in its field for an image URL. */
export function isFull(images: readonly DraftImage[]): boolean {
  return images.length >= maxImages
}

export function typedImage(url: string): DraftImage {
  return { key: url, url, pictureId: null, alt: '' }
}

export function uploadedImage(key: string): DraftImage {
  return { key, url: null, pictureId: null, alt: '' }
}

/** Returns whether the upload of the photo is not complete yet. */
export function isUnfinished(image: DraftImage): boolean {
  return image.url === null
}

/** Returns whether the photo was added from this device, even if its upload is not complete. */
export function isUpload(image: DraftImage): boolean {
  return image.url === null || image.pictureId !== null
}

export function isDraftImage(value: unknown): value is DraftImage {
  if (typeof value !== 'object' || value === null) return false
  const isTextOrNull = (name: string) => ['string', 'object'].includes(typeof Reflect.get(value, name))
  const hasText = (name: string) => typeof Reflect.get(value, name) === 'string'
  return hasText('key') && hasText('alt') && isTextOrNull('url') && isTextOrNull('pictureId')
}

/**
 * Returns whether all photos are image URLs without alt texts, so that a request can send `image_urls` instead of
 * `pictures`.
 */
export function hasOnlyUrls(images: readonly DraftImage[]): boolean {
  return images.every((image) => !isUpload(image) && image.alt.trim() === '')
}

type NewPicture = { id: string; alt: string } | { url: string; alt: string }

/** Converts the photos to the request's `pictures`. Photos whose upload is not complete are left out. */
export function toNewPictures(images: readonly DraftImage[]): NewPicture[] {
  return images.flatMap(({ url, pictureId, alt: typed }): NewPicture[] => {
    const alt = typed.trim()
    if (pictureId !== null) return [{ id: pictureId, alt }]
    return url === null ? [] : [{ url, alt }]
  })
}

/** Returns the photos with the photo at index `from` moved to index `to`. */
export function moveImage(images: readonly DraftImage[], from: number, to: number): DraftImage[] {
  const moved = images[from]
  if (moved === undefined) return [...images]
  return images.toSpliced(from, 1).toSpliced(to, 0, moved)
}

/**
 * Returns whether the photo at index `from` can be moved to index `to`. A photo that could not be read cannot become the
 * main photo, which is the first one.
 */
export function canMoveImage(
  images: readonly DraftImage[],
  { from, to }: { from: number; to: number },
  unreadable: ReadonlySet<string>,
): boolean {
  if (from === to || to < 0 || to >= images.length) return false
  const main = moveImage(images, from, to)[0]
  return main === undefined || main === images[0] || !unreadable.has(main.key)
}
