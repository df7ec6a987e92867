import type { FirstAnswer } from '../src/api/first-answer.ts'

/** What a page says of itself to crawlers and link previews. */
export interface Head {
  title: string
  description: string
  /** Below PUBLIC_ORIGIN; null for a page that is not to be found. */
  canonicalPath: string | null
  type: 'website' | 'product'
  images: readonly string[]
  /** schema.org. */
  structured: object | null
}

/** What goes into index.html for one request. */
export interface Filling {
  status: 200 | 404
  /** Null: the usual. */
  head: Head | null
  answer: FirstAnswer | null
  /** Whether the answer has all that the page asks for before it shows: then the server draws it. */
  isDrawn: boolean
}
