import { acceptedTypes, isHeic, maxUploadBytes, minSide, photoErrors } from './photo.ts'

const maxSide = 3000
const jpegQuality = 0.9

/** Error for a photo that cannot be uploaded. Its message is shown to the user. */
export class UnusablePhoto extends Error {}

/** Returns the size of a picture after scaling it down to `maxSide`. Smaller pictures are not enlarged. */
export function fit(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, maxSide / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

async function decode(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    if (isHeic(file)) throw new UnusablePhoto(photoErrors.heic)
    throw new UnusablePhoto(acceptedTypes.includes(file.type) ? photoErrors.unreadable : photoErrors.type)
  }
}

/** A part of a picture, as fractions of its width and height. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

const whole: Area = { x: 0, y: 0, width: 1, height: 1 }

export interface Change {
  area?: Area
  /** Rotates the area clockwise by 90 degrees. */
  isRotated?: boolean
}

async function encode(bitmap: ImageBitmap, { area = whole, isRotated = false }: Change): Promise<Blob> {
  const source = { width: bitmap.width * area.width, height: bitmap.height * area.height }
  if (source.width < minSide || source.height < minSide) throw new UnusablePhoto(photoErrors.tooSmall)
  const { width, height } = fit(source.width, source.height)
  const canvas = document.createElement('canvas')
  canvas.width = isRotated ? height : width
  canvas.height = isRotated ? width : height
  const context = canvas.getContext('2d')
  if (context === null) throw new UnusablePhoto(photoErrors.unreadable)
  // Transparent parts become white, as on the server, because JPEG has no transparency.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  if (isRotated) {
    context.translate(height, 0)
    context.rotate(Math.PI / 2)
  }
  const from = { x: bitmap.width * area.x, y: bitmap.height * area.y }
  context.drawImage(bitmap, from.x, from.y, source.width, source.height, 0, 0, width, height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', jpegQuality))
  if (blob === null) throw new UnusablePhoto(photoErrors.unreadable)
  if (blob.size > maxUploadBytes) throw new UnusablePhoto(photoErrors.tooLarge)
  return blob
}

/**
 * Scales a photo so that no side exceeds 3,000 pixels, and encodes it as JPEG. This also removes its metadata, such as
 * the location. Throws UnusablePhoto if the file is not a usable photo.
 */
export async function preparePhoto(file: File): Promise<Blob> {
  if (file.type !== '' && !acceptedTypes.includes(file.type) && !isHeic(file)) throw new UnusablePhoto(photoErrors.type)
  const bitmap = await decode(file)
  try {
    return await encode(bitmap, {})
  } finally {
    bitmap.close()
  }
}

/** Returns a cropped or rotated copy of a photo. Throws UnusablePhoto if the copy is too small. */
export async function editPhoto(photo: ImageBitmapSource, change: Change): Promise<Blob> {
  const bitmap = await createImageBitmap(photo)
  try {
    return await encode(bitmap, change)
  } finally {
    bitmap.close()
  }
}
