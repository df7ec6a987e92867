import type { PictureFormat } from '@marketplace/contracts/pictures.ts'
import sharp from 'sharp'
import type { ProcessPicture } from '../worker/process-picture.ts'
import { decodePicture } from './decode-picture.ts'
import { encodePicture } from './encode-picture.ts'

/**
 * Blocks all image decoders in this process except those for JPEG, PNG, WebP and AVIF. Files in other formats are thus
 * never decoded, whatever type the client declared.
 */
export function restrictDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadHeifBuffer',
    ],
  })
  sharp.concurrency(1)
  sharp.cache(false)
}

/** Returns a function that decodes an uploaded file and encodes it in the given formats. */
export function createProcessing(formats: readonly PictureFormat[]): ProcessPicture {
  return async (file, announced) => encodePicture(await decodePicture(file, announced), formats)
}
