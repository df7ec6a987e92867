import type { InitialData } from '../api/hydration/initial-data.ts'

interface RenderRequest {
  /** Path and query. */
  url: string
  initialData: InitialData
  origin: string
  supportEmail: string
}

/** Returns the HTML of #root. */
export type RenderPage = (request: RenderRequest) => Promise<string>
