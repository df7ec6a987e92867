import { SettingsError } from '@marketplace/kit/config/config.ts'
import type { StoreSettings } from './config.ts'
import { createDiskStore } from './disk-store.ts'
import { measured } from './measured-store.ts'
import type { PictureStore, ServedStore } from './picture-store.ts'
import { createS3Store } from './s3-store.ts'

export interface OpenStore {
  store: PictureStore
  /** The local store whose files this service serves itself; null if pictures are stored in S3. */
  served: ServedStore | null
}

/** Opens the S3 bucket or the local folder that the settings name. Throws a SettingsError if they name neither. */
export function openStore(settings: StoreSettings): OpenStore {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint } = settings
  if (bucket !== undefined) return { store: measured(createS3Store({ bucket, region, endpoint })), served: null }
  const { PICTURES_DIR: folder, UPLOAD_SECRET: secret } = settings
  if (folder === undefined) throw new SettingsError('S3_BUCKET or PICTURES_DIR is missing.')
  if (secret === undefined) throw new SettingsError('UPLOAD_SECRET is missing.')
  const served = createDiskStore(folder, secret)
  return { store: measured(served), served }
}
