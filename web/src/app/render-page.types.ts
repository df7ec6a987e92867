import type { InitialData } from '../api/hydration/initial-data.ts'

interface RenderRequest {
  /** Path and query string of the page. */
  url: string
  initialData: InitialData
  origin: string
  supportEmail: string
}

/** Returns the HTML of the page's element #root. */
export type RenderPage = (request: RenderRequest) => Promise<string>
