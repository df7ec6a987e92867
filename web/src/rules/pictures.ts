const demoFolder = '/demo-pictures/'
const largeFile = '/1600.webp'

/**
 * The widths at which pictures are shown, for the `sizes` attribute. The browser uses them to choose a file. CSS sets the
 * actual width.
 */
export const displayWidths = {
  card: '(max-width: 30em) 50vw, 20rem',
  gallery: '(max-width: 56em) 100vw, 48rem',
  window: '100vw',
}

/**
 * Returns the `srcset` of a demo picture, which has two files; undefined for any other URL. The widths 640 and 1600 are not
 * exact: the file of a panorama is wider than 640 pixels, so that it is high enough for the 4:3 picture of a card.
 */
export function srcSetOf(src: string, origin: string): string | undefined {
  if (!src.startsWith(`${origin}${demoFolder}`) || !src.endsWith(largeFile)) return undefined
  return `${src.slice(0, -largeFile.length)}/640.webp 640w, ${src} 1600w`
}
