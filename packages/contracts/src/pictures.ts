import { create } from '@bufbuild/protobuf'
import { z } from 'zod'
import { ListingPictureSchema, type ListingPicture as PictureMessage } from './gen/marketplace/catalog/v1/catalog_pb.ts'

export const pictureFormats = ['avif', 'webp', 'jpeg'] as const

export type PictureFormat = (typeof pictureFormats)[number]

const Alt = z.string().nullable()

/** A picture of a listing as databases and events store it. An uploaded picture has a key, any other has its URL. */
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

/** A picture of a listing in a response. A picture that was added by its URL has no facts. */
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

/** Setting of services that respond with pictures: the origin of uploaded pictures, by default that of the pages. */
export const picturesOrigin = z.url({ protocol: /^https?$/ }).optional()

const scheme = 'picture:'

/** Width of the JPEG that every uploaded picture has. The file is narrower if the picture is. */
export const usualWidth = 1280

const extensions: Record<PictureFormat, string> = { avif: 'avif', webp: 'webp', jpeg: 'jpg' }

/** Returns the name of one file of a picture, such as `640.webp`. */
export function pictureFile(width: number, format: PictureFormat): string {
  return `${width}.${extensions[format]}`
}

/** Returns the reference that databases and events store instead of an address: `picture:{key}`, or the typed URL. */
export function pictureReference(picture: StoredPicture): string {
  return 'key' in picture ? scheme + picture.key : picture.url
}

/** Returns the address of a stored reference: a typed URL unchanged, and the usual JPEG of an uploaded picture. */
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

/** Converts a picture from an event or an internal call. A format that this version does not know is left out. */
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
