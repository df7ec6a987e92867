import { z } from 'zod'

const given = z.string().min(1).optional()

/** Settings for the storage of pictures, shared by the catalog service and the picture worker. */
export const storeSettings = z.object({
  /**
   * S3 bucket in which pictures are stored. Required unless PICTURES_DIR is set. The AWS SDK reads the credentials
   * itself, for example from AWS_ACCESS_KEY_ID.
   */
  S3_BUCKET: given,
  /** Region of S3_BUCKET. */
  S3_REGION: z.string().min(1).default('us-east-1'),
  /**
   * URL of an S3-compatible store other than Amazon's. The bucket name is then part of the URL path, not of the host
   * name.
   */
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /**
   * Local folder for pictures, used instead of S3_BUCKET. The catalog service then receives uploads and serves pictures
   * itself.
   */
  PICTURES_DIR: given,
  /** Secret for signing upload forms. Required with PICTURES_DIR. */
  UPLOAD_SECRET: z.string().min(16).optional(),
})

export type StoreSettings = z.output<typeof storeSettings>
