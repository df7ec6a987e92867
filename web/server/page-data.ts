import type { InitialData } from '../src/api/hydration/initial-data.ts'
import type { ShownPicture } from '../src/rules/pictures.ts'

/** Metadata of a page for crawlers and link previews. */
export interface Head {
  title: string
  description: string
  /** Path of the canonical URL, without the origin. Null if the page has no canonical URL. */
  canonicalPath: string | null
  /** Content of the robots meta element. If undefined, the element is omitted and search engines may index the page. */
  robots?: 'noindex' | 'noindex, follow'
  type: 'website' | 'product'
  images: readonly string[]
  /** The main picture, which is preloaded. */
  mainPicture: ShownPicture | null
  /** Structured data (schema.org) for search engines; null if there is none. */
  structured: object | null
}

/** What the server needs to render index.html for one request. */
export interface PageData {
  status: 200 | 404
  /** Metadata of the page. Null keeps the default metadata of index.html. */
  head: Head | null
  initialData: InitialData | null
  /** True if the initial data is sufficient to prerender the page. */
  canPrerender: boolean
}
