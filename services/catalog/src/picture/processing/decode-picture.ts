import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Metadata, type SharpInput, type SharpOptions } from 'sharp'
import { maxUploadBytes, type PictureType } from '../picture.ts'
import { PictureRefused } from '../worker/process-picture.ts'

const minSide = 200
const maxSide = 12_000
const maxPixels = 50_000_000
const maxChannels = 4
const timeoutSeconds = 20

/** Maximum width of a processed picture, in pixels. Wider pictures are scaled down; narrower ones are not enlarged. */
export const maxWidth = 2048

/** A decoded picture in sRGB, upright and opaque, at most `maxWidth` wide. */
export interface DecodedPicture {
  pixels: Buffer
  width: number
  height: number
}

const options: SharpOptions = { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true }

/** Decodes the first frame of an uploaded file. Throws `PictureRefused` if the file is not an acceptable picture. */
export async function decodePicture(file: Buffer, announced: PictureType): Promise<DecodedPicture> {
  if (file.length > maxUploadBytes) throw new PictureRefused('too_large')
  const type = await fileTypeFromBuffer(file)
  if (type?.mime !== announced) throw new PictureRefused('wrong_type')
  requireBounds(await readMetadata(file))
  const { data: pixels, info } = await readable(() =>
    open(file)
      .autoOrient()
      .toColourspace('srgb')
      .flatten({ background: '#ffffff' })
      .resize({ width: maxWidth, withoutEnlargement: true })
      .timeout({ seconds: timeoutSeconds })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  )
  if (info.channels !== 3) throw new PictureRefused('unreadable')
  return { pixels, width: info.width, height: info.height }
}

function open(file: SharpInput) {
  return sharp(file, options)
}

// Reads only the header of the file, so that the picture's size is checked before any pixels are decoded.
function readMetadata(file: Buffer): Promise<Metadata> {
  return readable(() => open(file).metadata())
}

function requireBounds({ width, height, channels }: Metadata): void {
  if (width < minSide || height < minSide) throw new PictureRefused('too_small')
  if (width > maxSide || height > maxSide || width * height > maxPixels) throw new PictureRefused('too_large')
  if (channels > maxChannels) throw new PictureRefused('unreadable')
}

/** Runs a decoder on a file of unknown content. Any error of the decoder becomes a `PictureRefused`. */
async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new PictureRefused(String(error).includes('pixel limit') ? 'too_large' : 'unreadable')
  }
}
