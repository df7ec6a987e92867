import type { PictureFacts } from '../api/client/types.ts'

const demoFolder = '/demo-pictures/'
const largeFile = '/1600.webp'

/**
 * Values of the attribute `sizes`, from which the browser computes the width of a picture and chooses its file. CSS sets the
 * actual width.
 */
export const displayWidths = {
  tile: '12rem',
  card: '(max-width: 30em) 50vw, 20rem',
  gallery: '(max-width: 48em) 100vw, 48rem',
  // The picture can be enlarged 2.5 times.
  window: '250vw',
}

type Format = PictureFacts['formats'][number]

const extensions: Record<Format, string> = { avif: 'avif', webp: 'webp', jpeg: 'jpg' }

/** The files of an uploaded picture in one format, as the attributes of a `<source>`. */
export interface PictureSource {
  type: string
  srcSet: string
}

function sourceOf({ base, widths, width }: PictureFacts, format: Format): PictureSource {
  // A file is named by its maximum width. The file of a narrower picture has the width of the picture.
  const files = widths.map((file) => `${base}/${file}.${extensions[format]} ${Math.min(file, width)}w`)
  return { type: `image/${format}`, srcSet: files.join(', ') }
}

/** Returns the files of an uploaded picture by format, the smallest first. The last format is JPEG, which every browser shows. */
export function sourcesOf(facts: PictureFacts): PictureSource[] {
  const bySize: Format[] = ['avif', 'webp', 'jpeg']
  return bySize.filter((format) => facts.formats.includes(format)).map((format) => sourceOf(facts, format))
}

/** A picture of a listing. For an image URL that the seller entered, `facts` is null. */
export interface ShownPicture {
  url: string
  facts: PictureFacts | null
  /** The seller's alt text; null for the default. */
  alt: string | null
}

type GivenFacts = { [Fact in keyof PictureFacts]: PictureFacts[Fact] | null }

/** Returns the files and dimensions of a picture if it was uploaded; otherwise null. */
export function factsOf(given: GivenFacts | null | undefined): PictureFacts | null {
  if (!given) return null
  const { base, widths, formats, width, height, thumbhash } = given
  if (base === null || widths === null || formats === null) return null
  return width === null || height === null || thumbhash === null
    ? null
    : { base, widths, formats, width, height, thumbhash }
}

interface Pictured {
  image_urls_parsed: string[]
  pictures?: (Pick<ShownPicture, 'url' | 'alt'> & GivenFacts)[]
}

/** Returns the pictures of a listing. A response of the previous version of catalog has only their URLs. */
export function picturesOf({ pictures, image_urls_parsed: urls }: Pictured): ShownPicture[] {
  if (pictures === undefined) return urls.map((url) => ({ url, facts: null, alt: null }))
  return pictures.map((picture) => ({ url: picture.url, alt: picture.alt, facts: factsOf(picture) }))
}

/**
 * Returns the `srcset` of a picture of the sample listings, which has a small and a large file. Returns undefined for
 * any other URL. The widths 640w and 1600w in the `srcset` are approximate. The small file is large enough to cover a
 * card of 640 × 480 pixels, so the small file of a panorama is wider than 640 pixels.
 */
export function srcSetOf(src: string, origin: string): string | undefined {
  if (!src.startsWith(`${origin}${demoFolder}`) || !src.endsWith(largeFile)) return undefined
  return `${src.slice(0, -largeFile.length)}/640.webp 640w, ${src} 1600w`
}
