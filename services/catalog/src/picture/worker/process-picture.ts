import type { PictureFacts, PictureType, RefusalReason } from '../picture.ts'

export interface ProcessedFile {
  /** Name below the picture's key, such as `640.webp`. */
  name: string
  contentType: string
  body: Buffer
}

export interface ProcessedPicture {
  facts: PictureFacts
  files: ProcessedFile[]
}

/**
 * Decodes an uploaded file and encodes its picture in several sizes and formats. Throws `PictureRefused` if the file is
 * not acceptable, for example because it is not a picture of the type `announced`.
 */
export type ProcessPicture = (file: Buffer, announced: PictureType) => Promise<ProcessedPicture>

/** The uploaded file cannot become a picture. */
export class PictureRefused extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(`The picture was refused: ${reason}.`)
    this.reason = reason
  }
}
