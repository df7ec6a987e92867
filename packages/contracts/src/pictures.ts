import { create } from '@bufbuild/protobuf'
import { z } from 'zod'
import { ListingPictureSchema, type ListingPicture as PictureMessage } from './gen/marketplace/catalog/v1/catalog_pb.ts'

export const pictureFormats = ['avif', 'webp', 'jpeg'] as const

export type PictureFormat = (typeof pictureFormats)[number]

const Alt = z.string().nullable()

/**
 * A listing's picture in databases and events: an uploaded picture with its key, or an image URL that the seller
 * entered.
 */
export const StoredPicture = z.union([
  z.object({
    key: z.string(),
    formats: z.array(z.enum(pictureFormats)),
    widths: z.array(z.int()),
    width: z.int(),
    height: z.int(),
    thumbhash: z.string(),
    alt: Alt,
  }),
  z.object({ url: z.string(), alt: Alt }),
])

export type StoredPicture = z.output<typeof StoredPicture>

/**
 * A listing's picture in a response. If the seller entered an image URL, all fields except `url` and `alt` are null.
 */
export const ListingPictureView = z
  .object({
    url: z.string(),
    base: z.string().nullable(),
    widths: z.array(z.int()).nullable(),
    formats: z.array(z.enum(pictureFormats)).nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    thumbhash: z.string().nullable(),
    alt: Alt,
  })
  .meta({ id: 'ListingPicture' })

export type ListingPictureView = z.output<typeof ListingPictureView>

/**
 * Setting for the origin in the URLs of uploaded pictures. Without it, the URLs are relative, so browsers load the
 * pictures from the site's own origin.
 */
export const picturesOrigin = z.url({ protocol: /^https?$/ }).optional()

const scheme = 'picture:'

/**
 * Width, in pixels, of the file `1280.jpg`, which exists for every uploaded picture. If the picture is narrower, the
 * file has the picture's own width.
 */
export const usualWidth = 1280

const extensions: Record<PictureFormat, string> = { avif: 'avif', webp: 'webp', jpeg: 'jpg' }

/** Returns the file name for one width and format of a picture, such as `640.webp`. */
export function pictureFile(width: number, format: PictureFormat): string {
  return `${width}.${extensions[format]}`
}

/**
 * Returns the reference by which databases and events identify a picture: `picture:{key}` for an uploaded picture, or
 * the image URL that the seller entered.
 */
export function pictureReference(picture: StoredPicture): string {
  return 'key' in picture ? scheme + picture.key : picture.url
}

/**
 * Returns the URL for a stored reference: that of `1280.jpg` for an uploaded picture, or the unchanged image URL that
 * the seller entered.
 */
export function expandPicture(reference: string, origin: string | undefined): string {
  if (!reference.startsWith(scheme)) return reference
  return `${baseOf(reference.slice(scheme.length), origin)}/${pictureFile(usualWidth, 'jpeg')}`
}

export function toPictureView(picture: StoredPicture, origin: string | undefined): ListingPictureView {
  const url = expandPicture(pictureReference(picture), origin)
  if (!('key' in picture)) return { url, base: null, ...withoutFacts, alt: picture.alt }
  const { key, ...facts } = picture
  return { url, base: baseOf(key, origin), ...facts }
}

const withoutFacts = { widths: null, formats: null, width: null, height: null, thumbhash: null }

export function toPictureMessage(picture: StoredPicture): PictureMessage {
  const alt = picture.alt ?? ''
  if (!('key' in picture)) return create(ListingPictureSchema, { url: picture.url, alt })
  return create(ListingPictureSchema, { ...picture, alt })
}

/** Converts the picture in an event or internal call. Omits formats that this version does not know. */
export function toStoredPicture(message: PictureMessage): StoredPicture {
  const { key, url, widths, width, height, thumbhash } = message
  const alt = message.alt === '' ? null : message.alt
  if (key === '') return { url, alt }
  const formats = message.formats.flatMap((name) => pictureFormats.find((format) => format === name) ?? [])
  return { key, formats, widths, width, height, thumbhash, alt }
}

function baseOf(key: string, origin = ''): string {
  return `${origin}/pictures/${key}`
}
