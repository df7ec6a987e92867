import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { picturesOrigin } from '@marketplace/contracts/pictures.ts'
import { z } from 'zod'
import { storeSettings } from './picture/store/config.ts'

const hourMs = 3_600_000

const quota = z.coerce.number().int().min(1).max(1_000_000)

export const catalogSettings = serviceSettings.extend({
  ...storeSettings.shape,
  /** Origin in the URLs of uploaded pictures. Without this setting, the URLs are relative to the site's own origin. */
  PICTURES_ORIGIN: picturesOrigin,
  // How long a request to complete an upload waits for the picture worker.
  PICTURE_WAIT_MS: durationMs.default(8000),
  // How long a picture that no listing uses is kept.
  UNUSED_PICTURE_RETENTION_MS: durationMs.default(90 * 24 * hourMs),
  // Interval of the sweeps that delete unused pictures and flag pictures that match those of other users.
  PICTURE_SWEEP_INTERVAL_MS: durationMs.default(60_000),
  // URL of the auction service's internal port.
  AUCTION_INTERNAL_URL: z.url(),
  // Timeout of an OpenAuction or DropAuction call.
  OPEN_AUCTION_TIMEOUT_MS: durationMs.default(2000),
  // Timeout of a GetAuctions call.
  AUCTIONS_TIMEOUT_MS: durationMs.default(250),
  // Timeout of a GetProfiles call.
  PROFILES_TIMEOUT_MS: durationMs.default(250),
  // How long a seller's name is cached.
  PROFILES_TTL_MS: durationMs.default(60_000),
  // How long an offer can be accepted.
  OFFER_TTL_MS: durationMs.default(48 * hourMs),
  // How long the buyer of an accepted offer has to pay.
  OFFER_PAYMENT_WINDOW_MS: durationMs.default(48 * hourMs),
  // Maximum number of a member's active listings.
  MAX_ACTIVE_LISTINGS: quota.default(1000),
  // Maximum number of listings that a member can create in 24 hours.
  MAX_LISTINGS_PER_DAY: quota.default(200),
  // Maximum number of listings on a member's watchlist.
  MAX_FAVORITES: quota.default(1000),
  // Maximum number of a member's pending offers as a buyer.
  MAX_PENDING_OFFERS: quota.default(100),
  // Maximum number of a member's drafts.
  MAX_DRAFTS: quota.default(20),
  // Maximum number of pictures that a member can announce in 24 hours.
  MAX_PICTURES_PER_DAY: quota.default(300),
  // Maximum number of a member's pictures that no listing uses.
  MAX_UNUSED_PICTURES: quota.default(60),
  // Maximum number of a member's pictures.
  MAX_PICTURES: quota.default(10_000),
  // Maximum number of edits of a listing in 24 hours. A relisting with a new price or shipping cost counts as an edit.
  MAX_EDITS_PER_DAY: quota.default(100),
  // Members whose account is younger than this have the lower quotas MAX_NEW_MEMBER_ACTIVE_LISTINGS and
  // MAX_NEW_MEMBER_LISTINGS_PER_DAY. 0 disables the lower quotas.
  NEW_MEMBER_WINDOW_MS: z.coerce.number().int().min(0).default(0),
  // Replaces MAX_ACTIVE_LISTINGS for accounts younger than NEW_MEMBER_WINDOW_MS.
  MAX_NEW_MEMBER_ACTIVE_LISTINGS: quota.default(20),
  // Replaces MAX_LISTINGS_PER_DAY for accounts younger than NEW_MEMBER_WINDOW_MS.
  MAX_NEW_MEMBER_LISTINGS_PER_DAY: quota.default(10),
  // Interval of the sweeps that expire offers, and that delete old tombstones of sales and records of ended blocks.
  OFFER_SWEEP_INTERVAL_MS: durationMs.default(60_000),
  // Interval of the sweep that drops auctions whose listing was never stored.
  OPENING_SWEEP_INTERVAL_MS: durationMs.default(60_000),
  // Interval of two sweeps. One fills listing columns that an earlier version of this service left empty. The other
  // removes a crossed-out price 60 days after the price reduction, unless the seller entered that price.
  LISTING_SWEEP_INTERVAL_MS: durationMs.default(60_000),
  // Interval of the sweeps that delete old revisions, prices, inactive periods and drafts.
  HISTORY_SWEEP_INTERVAL_MS: durationMs.default(hourMs),
  // Interval at which the buffered views are written to the database.
  VIEW_FLUSH_INTERVAL_MS: durationMs.default(1000),
  // After a counted view, further views of the listing by the same viewer are not counted for this long.
  VIEW_DEDUP_WINDOW_MS: durationMs.default(hourMs / 2),
  // Maximum number of views per listing and IP address that are counted within VIEW_DEDUP_WINDOW_MS. All IPv6 addresses
  // with the same /64 prefix count as one address.
  MAX_VIEWS_PER_ADDRESS: quota.default(10),
  // Interval of the sweep that empties the table partitions with expired views.
  VIEW_SWEEP_INTERVAL_MS: durationMs.default(60_000),
})

export type CatalogSettings = z.output<typeof catalogSettings>

export function readConfig(): CatalogSettings {
  return readSettings(catalogSettings, process.env)
}
