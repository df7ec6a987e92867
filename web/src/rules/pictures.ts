import type { PictureFacts } from '../api/client/types.ts'

/** On phones, treats a scale up to 1.2 as 1, so that slight cropping does not cause a larger download. */
const onPhones = (scale: number) => (scale > 1.2 ? scale : 1)

const times = (size: number, scale: number) => Number((size * scale).toFixed(2))

/**
 * Functions that return the `sizes` attribute for each place where pictures are shown. `scale` is a picture's full
 * width divided by its visible width.
 */
const displayWidths = {
  tile: (scale: number) => `${times(12, scale)}rem`,
  // On phones, cards are shown in two columns; 1.5rem is for the gap and the page's margins.
  card: (scale: number) => `(max-width: 30em) calc(${times(50, onPhones(scale))}vw - 1.5rem), ${times(20, scale)}rem`,
  shelf: (scale: number) =>
    `(max-width: 26.25em) ${times(10.5, onPhones(scale))}rem, (max-width: 37.5em) ${times(40, scale)}vw, ${times(15, scale)}rem`,
  gallery: (scale: number) => `(max-width: 56em) ${times(100, scale)}vw, ${times(48, scale)}rem`,
  // In the zoom view, the picture can be 2.5 times as wide as the window.
  window: (scale: number) => `${times(250, scale)}vw`,
}

/** A place where pictures are shown. */
export type Place = keyof typeof displayWidths

const cardRatio = 4 / 3

/**
 * Returns the `sizes` attribute, from which the browser chooses the file to load. A panorama on a 4:3 card needs a
 * wider file, because the card crops the panorama's sides.
 */
export function sizesOf({ width, height }: Pick<PictureFacts, 'width' | 'height'>, place: Place): string {
  const covers = place !== 'gallery' && place !== 'window'
  const scale = covers ? Math.max(1, width / height / cardRatio) : 1
  return displayWidths[place](Math.ceil(scale * 10) / 10)
}

type Format = PictureFacts['formats'][number]

const extensions: Record<Format, string> = { avif: 'avif', webp: 'webp', jpeg: 'jpg' }

/** The files of an uploaded picture in one format, as the attributes of a `<source>`. */
export interface PictureSource {
  type: string
  srcSet: string
}

function sourceOf({ base, widths, width }: PictureFacts, format: Format): PictureSource {
  // A file is named after its maximum width. If the uploaded picture is narrower, the file is only as wide as that
  // picture.
  const files = widths.map((file) => `${base}/${file}.${extensions[format]} ${Math.min(file, width)}w`)
  return { type: `image/${format}`, srcSet: files.join(', ') }
}

/**
 * Returns the files of an uploaded picture, grouped by format. The format with the smallest files is first; the last is
 * JPEG, which every browser supports.
 */
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

/**
 * Returns a listing's pictures. During a deployment, the previous version of the catalog service might send only
 * `image_urls_parsed`.
 */
export function picturesOf({ pictures, image_urls_parsed: urls }: Pictured): ShownPicture[] {
  if (pictures === undefined) return urls.map((url) => ({ url, facts: null, alt: null }))
  return pictures.map((picture) => ({ url: picture.url, alt: picture.alt, facts: factsOf(picture) }))
}
