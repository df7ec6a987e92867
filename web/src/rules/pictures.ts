const demoFolder = '/demo-pictures/'
const largeFile = '/1600.webp'

/**
 * Values of the attribute `sizes`, from which the browser computes the width of a picture and chooses its file. CSS sets the
 * actual width.
 */
export const displayWidths = {
  card: '(max-width: 30em) 50vw, 20rem',
  gallery: '(max-width: 48em) 100vw, 48rem',
  // The picture can be enlarged 2.5 times.
  window: '250vw',
}

/**
 * Returns the `srcset` of a picture of the sample listings, which has a small and a large file. Returns undefined for
 * any other URL. The widths 640w and 1600w in the `srcset` are approximate. The small file is large enough to cover a
 * card of 640 × 480 pixels, so that of a panorama is wider than 640 pixels.
 */
export function srcSetOf(src: string, origin: string): string | undefined {
  if (!src.startsWith(`${origin}${demoFolder}`) || !src.endsWith(largeFile)) return undefined
  return `${src.slice(0, -largeFile.length)}/640.webp 640w, ${src} 1600w`
}
