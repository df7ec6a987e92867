import { durationMs, listenSettings, readSettings } from '@marketplace/kit/config/config.ts'
import { z } from 'zod'

export const webSettings = listenSettings.extend({
  /** Origin at which browsers reach the marketplace, for links in pages and in the sitemap. */
  PUBLIC_ORIGIN: z.url({ protocol: /^https?$/ }),
  /** URL of the catalog service's public port. */
  CATALOG_URL: z.url({ protocol: /^https?$/ }),
  /** URL of the search service's public port. */
  SEARCH_URL: z.url({ protocol: /^https?$/ }),
  /**
   * Maximum time that the server waits for a page's initial data. After that, the page is served without initial data.
   */
  PRERENDER_TIMEOUT_MS: durationMs.default(300),
  /** Address of the support, which pages and the help chat show. */
  SUPPORT_EMAIL: z.email().default('support@example.com'),
})

export type WebSettings = z.output<typeof webSettings>

export function readConfig(environment = process.env): WebSettings {
  return readSettings(webSettings, environment)
}
