import { crc32, deflateSync } from 'node:zlib'
import { rgbaToThumbHash } from 'thumbhash'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawPicture } from '../../testing/pictures.ts'
import type { PictureType } from '../picture.ts'
import { PictureRefused } from '../worker/process-picture.ts'
import { createProcessing } from './create-processing.ts'

const processPicture = createProcessing(['avif', 'webp', 'jpeg'])

async function reasonFor(file: Buffer, type: PictureType): Promise<string> {
  try {
    await processPicture(file, type)
    return 'accepted'
  } catch (error) {
    return error instanceof PictureRefused ? error.reason : `failed: ${String(error)}`
  }
}

const secret = 'taken-at-home'
const withLocation = () =>
  drawPicture(800, 600)
    .withExif({ IFD0: { Artist: secret }, IFD3: { GPSLatitude: '52/1 22/1 0/1', GPSLatitudeRef: 'N' } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>${secret}</rdf></x:xmpmeta>`)
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()

describe('processing a picture', () => {
  it('PHOTO-11 drops location, camera, text and profile', async () => {
    const file = await withLocation()
    expect(file.includes(secret)).toBe(true)
    const { files, facts } = await processPicture(file, 'image/jpeg')
    expect(facts).toMatchObject({ width: 800, height: 600, widths: [320, 640, 800], formats: ['avif', 'webp', 'jpeg'] })
    expect(files.map(({ name }) => name).toSorted()).toEqual([
      '1280.jpg',
      ...['320', '640', '800'].flatMap((width) => ['avif', 'jpg', 'webp'].map((extension) => `${width}.${extension}`)),
    ])
    for (const { body } of files) {
      const { exif, xmp, icc, iptc, orientation, ...metadata } = await sharp(body).metadata()
      expect([exif, xmp, icc, iptc, orientation, metadata.comments]).toEqual(Array(6).fill(undefined))
      expect(body.includes(secret)).toBe(false)
    }
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('PHOTO-11 turns orientation %i upright', async (orientation) => {
    const corner = { create: { width: 100, height: 100, channels: 3, background: '#ff0000' } } as const
    const upright = sharp({ create: { width: 600, height: 400, channels: 3, background: '#0000ff' } })
      .composite([{ input: await sharp(corner).png().toBuffer(), left: 0, top: 0 }])
      .png()
    const turned = await unturn(await upright.toBuffer(), orientation)
    const { files, facts } = await processPicture(turned, 'image/jpeg')
    expect([facts.width, facts.height]).toEqual([600, 400])
    const master = files.find(({ name }) => name === '600.jpg')?.body
    const { data } = await sharp(master).raw().toBuffer({ resolveWithObject: true })
    expect([data[0], data[2]].map((value = 0) => value > 128)).toEqual([true, false])
  })

  it.each([
    ['CMYK', () => drawPicture().toColourspace('cmyk').jpeg().toBuffer(), 'image/jpeg'],
    ['16-bit', () => drawPicture().toColourspace('rgb16').png().toBuffer(), 'image/png'],
    ['gray', () => drawPicture().greyscale().jpeg().toBuffer(), 'image/jpeg'],
    ['transparent', () => drawPicture().ensureAlpha(0.5).png().toBuffer(), 'image/png'],
    ['animated', () => animation(20), 'image/webp'],
    ['AVIF', () => drawPicture().avif({ effort: 0 }).toBuffer(), 'image/avif'],
  ] as const)('PHOTO-11 makes a %s picture plain sRGB', async (_what, draw, type) => {
    const { files } = await processPicture(await draw(), type)
    for (const { name, body } of files.filter((file) => !file.name.endsWith('avif'))) {
      const metadata = await sharp(body).metadata()
      expect([name, metadata]).toMatchObject([name, { space: 'srgb', channels: 3, depth: 'uchar', hasAlpha: false }])
      expect(metadata.pages ?? 1).toBe(1)
    }
  })

  it('PHOTO-11 keeps the facts within their bounds, whatever the proportions', async () => {
    for (const [width, height] of [
      [200, 12_000],
      [12_000, 200],
      [201, 200],
    ] as const) {
      const { facts } = await processPicture(await drawPicture(width, height).jpeg().toBuffer(), 'image/jpeg')
      expect(facts.thumbhash.length).toBeLessThanOrEqual(32)
      expect(facts.phash).toMatch(/^[01]{64}$/)
      expect(facts.width).toBe(Math.min(width, 2048))
    }
    expect(rgbaToThumbHash(1, 1, [0, 0, 0, 255]).length).toBeLessThanOrEqual(32)
  })

  it('PHOTO-06 re-encodes a JPEG that is HTML too', async () => {
    const page = '<script>alert(document.domain)</script>'
    const file = Buffer.concat([
      await drawPicture()
        .withExif({ IFD0: { Artist: page } })
        .jpeg()
        .toBuffer(),
      Buffer.from(page),
    ])
    const { files } = await processPicture(file, 'image/jpeg')
    for (const { body } of files) expect(body.includes('<script')).toBe(false)
  })

  it.each([
    [
      'SVG named JPEG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>'),
      'wrong_type',
    ],
    ['PNG named JPEG', () => drawPicture().png().toBuffer(), 'wrong_type'],
    ['GIF', () => drawPicture().gif().toBuffer(), 'wrong_type'],
    ['TIFF', () => drawPicture().tiff().toBuffer(), 'wrong_type'],
    ['empty file', async () => Buffer.alloc(0), 'wrong_type'],
    ['random file', async () => Buffer.alloc(5000, 7), 'wrong_type'],
    ['file of 13 MiB', async () => Buffer.alloc(13 * 1024 * 1024), 'too_large'],
    ['truncated picture', async () => halfOf(await drawPicture(900, 900).jpeg().toBuffer()), 'unreadable'],
    ['header alone', async () => (await drawPicture(900, 900).jpeg().toBuffer()).subarray(0, 300), 'unreadable'],
    ['picture of 199 px', () => drawPicture(900, 199).jpeg().toBuffer(), 'too_small'],
    ['picture of 12,001 px', () => drawPicture(12_001, 200).jpeg().toBuffer(), 'too_large'],
    ['picture of 51 megapixels', () => blank(8500, 6000), 'too_large'],
  ] as const)('PHOTO-06 refuses a %s', async (_what, make, reason) => {
    expect(await reasonFor(await make(), 'image/jpeg')).toBe(reason)
  })

  it('PHOTO-06 refuses a decompression bomb by its header', async () => {
    expect(await reasonFor(bomb(50_000, 50_000), 'image/png')).toBe('too_large')
  })

  it('PHOTO-06 reads the first of 10,000 frames only', async () => {
    expect(await reasonFor(await animation(10_000), 'image/webp')).toBe('accepted')
  })
})

const halfOf = (file: Buffer) => file.subarray(0, file.length / 2)

function blank(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#888888' } })
    .jpeg()
    .toBuffer()
}

async function animation(frames: number): Promise<Buffer> {
  const size = 200
  const pixels = Buffer.alloc(size * size * 3 * Math.min(frames, 20), 120)
  for (let frame = 0; frame < Math.min(frames, 20); frame += 1) pixels.fill(frame * 12, frame * size * size * 3)
  const height = size * Math.min(frames, 20)
  const short = await sharp(pixels, { raw: { width: size, height, channels: 3, pageHeight: size } })
    .webp({ loop: 0, delay: 100 })
    .toBuffer()
  return frames <= 20 ? short : repeatFrames(short, frames)
}

// A WebP file is a RIFF list of chunks; each frame is one chunk ANMF. More of them make a longer animation.
function repeatFrames(file: Buffer, frames: number): Buffer {
  const head: Buffer[] = []
  const found: Buffer[] = []
  for (let at = 12; at < file.length;) {
    const size = 8 + file.readUInt32LE(at + 4)
    const chunk = file.subarray(at, at + size + (size % 2))
    ;(chunk.toString('latin1', 0, 4) === 'ANMF' ? found : head).push(chunk)
    at += size + (size % 2)
  }
  const body = Buffer.concat([
    ...head,
    ...Array.from({ length: frames }, (_, n) => found[n % found.length] ?? Buffer.alloc(0)),
  ])
  const riff = Buffer.from(file.subarray(0, 12))
  riff.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([riff, body])
}

// A PNG whose header names the size, and whose data would decode to far more than memory.
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  header.writeUInt8(2, 9)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Returns a JPEG that is shown as `upright` when its orientation is applied. */
async function unturn(upright: Buffer, orientation: number): Promise<Buffer> {
  const flop = [2, 4, 5, 7].includes(orientation)
  const angle = { 1: 0, 2: 0, 3: 180, 4: 180, 5: 90, 6: 270, 7: 270, 8: 90 }[orientation] ?? 0
  const rotated = await sharp(upright).rotate(angle).png().toBuffer()
  const turned = await sharp(rotated).flop(flop).png().toBuffer()
  return sharp(turned).jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer()
}
