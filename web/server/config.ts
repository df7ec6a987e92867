import { listenSettings, readSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

const webSettings = listenSettings.extend({
  SUPPORT_EMAIL: z.email().default('support@example.com'),
  /** Pictures of the demo data, only where there is demo data. */
  DEMO_PICTURES_DIR: z.string().min(1).optional(),
})

export type WebSettings = z.output<typeof webSettings>

export function readConfig(environment = process.env): WebSettings {
  return readSettings(webSettings, environment)
}
