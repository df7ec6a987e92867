import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { pictureFile, usualWidth, type PictureFormat } from '@marketplace/contracts/pictures.ts'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { ProcessedFile, ProcessedPicture } from '../worker/process-picture.ts'
import { maxWidth, type DecodedPicture } from './decode-picture.ts'

// The package `sharp-phash` is loaded with `require`, because its type declarations do not match its module format.
const require = createRequire(import.meta.url)
const phash: (picture: Buffer) => Promise<string> = require('sharp-phash')

const fileWidths = [320, 640, usualWidth, maxWidth]
const thumbnailSide = 100

// The `effort` values are low, because low values make encoding two to three times as fast, while the files are at most
// 4 % larger.
const encoders: Record<PictureFormat, (picture: Sharp) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 50, effort: 1 }),
  webp: (picture) => picture.webp({ quality: 78, effort: 2 }),
  jpeg: (picture) => picture.jpeg({ quality: 80, mozjpeg: false }),
}

const contentTypes: Record<PictureFormat, string> = { avif: 'image/avif', webp: 'image/webp', jpeg: 'image/jpeg' }

/** Encodes the files of a decoded picture, without metadata and without a color profile. */
export async function encodePicture(
  picture: DecodedPicture,
  formats: readonly PictureFormat[],
): Promise<ProcessedPicture> {
  const widths = widthsOf(picture.width)
  const files: ProcessedFile[] = []
  for (const width of widths) {
    const scaled = await scale(picture, width)
    for (const format of formats) files.push(await encode(scaled, width, format))
  }
  const master = files.find(({ name }) => name === pictureFile(widths.at(-1) ?? 0, 'jpeg'))
  if (!master) throw new Error('The picture has no master.')
  const hash = createHash('sha256').update(master.body).digest('hex').slice(0, 16)
  const facts = {
    hash,
    width: picture.width,
    height: picture.height,
    formats: [...formats],
    widths,
    thumbhash: await thumbhashOf(picture),
    phash: await phash(master.body),
  }
  return { facts, files: [...files, ...usualFile(master, widths)] }
}

// The URL of an uploaded picture always names the 1280-pixel JPEG. If the picture is narrower, its widest JPEG is also
// stored under that name.
function usualFile(master: ProcessedFile, widths: readonly number[]): ProcessedFile[] {
  return widths.includes(usualWidth) ? [] : [{ ...master, name: pictureFile(usualWidth, 'jpeg') }]
}

function widthsOf(width: number): number[] {
  return [...fileWidths.filter((fileWidth) => fileWidth < width), width]
}

async function scale(picture: DecodedPicture, width: number): Promise<DecodedPicture> {
  if (width === picture.width) return picture
  const { data, info } = await open(picture).resize({ width }).raw().toBuffer({ resolveWithObject: true })
  return { pixels: data, width: info.width, height: info.height }
}

async function encode(picture: DecodedPicture, width: number, format: PictureFormat): Promise<ProcessedFile> {
  const body = await encoders[format](open(picture)).toBuffer()
  return { name: pictureFile(width, format), contentType: contentTypes[format], body }
}

async function thumbhashOf(picture: DecodedPicture): Promise<Buffer> {
  const { data, info } = await open(picture)
    .resize(thumbnailSide, thumbnailSide, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data))
}

function open({ pixels, width, height }: DecodedPicture): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}
