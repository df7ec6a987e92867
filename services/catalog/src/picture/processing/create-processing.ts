import type { PictureFormat } from '@marketplace/contracts/pictures.ts'
import sharp from 'sharp'
import type { ProcessPicture } from '../worker/process-picture.ts'
import { decodePicture } from './decode-picture.ts'
import { encodePicture } from './encode-picture.ts'

/** Restricts this whole process to the four decoders that are needed, whatever a file claims to be. */
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

/** Returns a function that decodes a picture and encodes the picture in the given formats. */
export function createProcessing(formats: readonly PictureFormat[]): ProcessPicture {
  return async (file, announced) => encodePicture(await decodePicture(file, announced), formats)
}
