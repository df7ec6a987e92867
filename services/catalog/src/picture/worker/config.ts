import { durationMs, listenSettings, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { pictureFormats } from '@marketplace/contracts/pictures.ts'
import { z } from 'zod'
import { storeSettings } from '../store/config.ts'

const Format = z.enum(pictureFormats)

export const workerSettings = listenSettings.omit({ PORT: true }).extend({
  ...storeSettings.shape,
  /** URL of the database for the role catalog_pictures. */
  DATABASE_URL: serviceSettings.shape.DATABASE_URL,
  /** Formats in which pictures are stored. JPEG is required: it is the master, and what clients without other formats show. */
  PICTURE_FORMATS: z
    .string()
    .default('avif,webp,jpeg')
    .transform((value) => value.split(','))
    .pipe(z.array(Format).refine((formats) => formats.includes('jpeg'), 'must contain jpeg')),
  /** Time between two looks at the queue when no notification arrives. */
  PICTURE_POLL_INTERVAL_MS: durationMs.default(1000),
  /** Time between two passes over all objects, which delete those that belong to no picture. */
  PICTURE_ORPHAN_INTERVAL_MS: durationMs.default(60 * 60_000),
  /** Service that reviews each picture before it is ready. Without it, every picture is clear. */
  PICTURE_REVIEW_URL: z.url({ protocol: /^https?$/ }).optional(),
  PICTURE_REVIEW_TIMEOUT_MS: durationMs.default(5000),
  /** How long a claimed picture is left to the worker that claimed it. */
  PICTURE_CLAIM_MS: durationMs.default(60_000),
  /** Time until a picture is tried again after the object store failed. */
  PICTURE_RETRY_MS: durationMs.default(15_000),
})

export type WorkerSettings = z.output<typeof workerSettings>

export function readWorkerConfig(): WorkerSettings {
  return readSettings(workerSettings, process.env)
}
