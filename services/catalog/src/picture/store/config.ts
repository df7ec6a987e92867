import { z } from 'zod'

const given = z.string().min(1).optional()

/** Settings of the store of pictures, shared by the catalog service and its picture worker. */
export const storeSettings = z.object({
  /**
   * Bucket of the object store in which pictures are stored. The AWS SDK reads the credentials, for example from
   * AWS_ACCESS_KEY_ID.
   */
  S3_BUCKET: given,
  S3_REGION: z.string().min(1).default('us-east-1'),
  /** URL of an object store that is not Amazon's. Its buckets are addressed by path. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Folder for pictures on one machine, without S3_BUCKET. The service then takes uploads and serves pictures itself. */
  PICTURES_DIR: given,
  /** Secret with which upload forms are signed, with PICTURES_DIR. */
  UPLOAD_SECRET: z.string().min(16).optional(),
})

export type StoreSettings = z.output<typeof storeSettings>
