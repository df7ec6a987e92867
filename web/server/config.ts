import { durationMs, listenSettings, readSettings } from '@marketplace/kit/config/config.ts'
import { z } from 'zod'

export const webSettings = listenSettings.extend({
  PUBLIC_ORIGIN: z.url({ protocol: /^https?$/ }),
  CATALOG_URL: z.url({ protocol: /^https?$/ }),
  SEARCH_URL: z.url({ protocol: /^https?$/ }),
  /**
   * Maximum time that the server waits for a page's initial data. After that, the page is served without initial data.
   */
  PRERENDER_TIMEOUT_MS: durationMs.default(300),
  SUPPORT_EMAIL: z.email().default('support@example.com'),
})

export type WebSettings = z.output<typeof webSettings>

export function readConfig(environment = process.env): WebSettings {
  return readSettings(webSettings, environment)
}
