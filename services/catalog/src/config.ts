import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { z } from 'zod'

const hourMs = 3_600_000

export const catalogSettings = serviceSettings.extend({
  AUCTION_INTERNAL_URL: z.url(),
  // Deadlines of the calls OpenAuction, GetAuctions and GetProfiles.
  OPEN_AUCTION_MS: durationMs.default(2000),
  READ_AUCTIONS_MS: durationMs.default(250),
  READ_PROFILES_MS: durationMs.default(250),
  // How long a seller's name is cached.
  KEEP_PROFILES_MS: durationMs.default(60_000),
  // How long an offer can be accepted.
  OFFER_TTL_MS: durationMs.default(48 * hourMs),
  // How long the buyer of an accepted offer has to pay.
  OFFER_DUE_MS: durationMs.default(48 * hourMs),
  // Time between two runs of the sweep that expires offers.
  SWEEP_OFFERS_MS: durationMs.default(60_000),
  // Time between two flushes of the view buffer.
  FLUSH_VIEWS_MS: durationMs.default(1000),
  // How long further views of a listing by the same viewer do not count.
  REPEAT_VIEW_MS: durationMs.default(hourMs / 2),
  // Time between two runs of the sweep that deletes expired views.
  SWEEP_VIEWS_MS: durationMs.default(60_000),
})

export type CatalogSettings = z.output<typeof catalogSettings>

export function readConfig(): CatalogSettings {
  return readSettings(catalogSettings, process.env)
}
