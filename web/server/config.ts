import { durationMs, listenSettings, readSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

const webSettings = listenSettings.extend({
  PUBLIC_ORIGIN: z.url({ protocol: /^https?$/ }),
  CATALOG_URL: z.url({ protocol: /^https?$/ }),
  SEARCH_URL: z.url({ protocol: /^https?$/ }),
  /** What a page waits for them before it goes out plain. */
  FILL_TIMEOUT_MS: durationMs.default(300),
  SUPPORT_EMAIL: z.email().default('support@example.com'),
  /** Pictures of the demo data, only where there is demo data. */
  DEMO_PICTURES_DIR: z.string().min(1).optional(),
})

export type WebSettings = z.output<typeof webSettings>

export function readConfig(environment = process.env): WebSettings {
  return readSettings(webSettings, environment)
}
