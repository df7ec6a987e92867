import type { PictureRow } from '../db.ts'
import type { Picture, PictureFacts } from './picture.ts'

export function toPicture(row: PictureRow): Picture {
  return {
    id: row.id,
    uploaderId: row.uploader_id,
    state: row.state,
    contentType: row.content_type,
    byteSize: row.byte_size,
    etag: row.etag,
    reason: row.reason,
    facts: factsOf(row),
  }
}

function factsOf({ hash, width, height, formats, widths, thumbhash, phash }: PictureRow): PictureFacts | null {
  if (hash === null || width === null || height === null) return null
  if (formats === null || widths === null || thumbhash === null || phash === null) return null
  return { hash, width, height, formats, widths, thumbhash, phash }
}
