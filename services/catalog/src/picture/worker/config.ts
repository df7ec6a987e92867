import { durationMs, listenSettings, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { pictureFormats } from '@marketplace/contracts/pictures.ts'
import { z } from 'zod'
import { storeSettings } from '../store/config.ts'

const Format = z.enum(pictureFormats)

export const workerSettings = listenSettings.omit({ PORT: true }).extend({
  ...storeSettings.shape,
  /** URL of the database for the role catalog_pictures. */
  DATABASE_URL: serviceSettings.shape.DATABASE_URL,
  /**
   * Formats in which pictures are stored. JPEG is required, because clients without support for the other formats show
   * it.
   */
  PICTURE_FORMATS: z
    .string()
    .default('avif,webp,jpeg')
    .transform((value) => value.split(','))
    .pipe(z.array(Format).refine((formats) => formats.includes('jpeg'), 'must contain jpeg')),
  /** How long the worker waits for a notification before it checks the queue anyway. */
  PICTURE_POLL_INTERVAL_MS: durationMs.default(1000),
  /** Interval of the sweep that deletes stored objects that belong to no picture. */
  PICTURE_ORPHAN_INTERVAL_MS: durationMs.default(60 * 60_000),
  /**
   * URL of the service that reviews each picture before the picture is shown. Without this setting, no picture is
   * reviewed.
   */
  PICTURE_REVIEW_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Timeout of a review. A picture without a response is flagged. */
  PICTURE_REVIEW_TIMEOUT_MS: durationMs.default(5000),
  /** How long a worker's claim of a picture lasts. After that, another worker can claim the picture. */
  PICTURE_CLAIM_MS: durationMs.default(60_000),
  /** Delay before a picture is processed again after an error of the object store. */
  PICTURE_RETRY_MS: durationMs.default(15_000),
})

export type WorkerSettings = z.output<typeof workerSettings>

export function readWorkerConfig(): WorkerSettings {
  return readSettings(workerSettings, process.env)
}
