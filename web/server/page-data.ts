import type { InitialData } from '../src/api/hydration/initial-data.ts'
import type { ShownPicture } from '../src/rules/pictures.ts'

/** Metadata of a page for crawlers and link previews. */
export interface Head {
  title: string
  description: string
  /** Path below PUBLIC_ORIGIN; null for a page that search engines must not index. */
  canonicalPath: string | null
  /** Content of the robots meta element. If undefined, the element is omitted and search engines index the page. */
  robots?: 'noindex' | 'noindex, follow'
  type: 'website' | 'product'
  images: readonly string[]
  /** The main picture, which is preloaded. */
  mainPicture: ShownPicture | null
  /** Structured data (schema.org). */
  structured: object | null
}

/** Data for rendering index.html for one request. */
export interface PageData {
  status: 200 | 404
  /** Metadata of the page. Null keeps the default metadata of index.html. */
  head: Head | null
  initialData: InitialData | null
  /** True if the initial data contains everything that the page needs before it shows content. */
  canPrerender: boolean
}
