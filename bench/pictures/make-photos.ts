// Run by the bench of pictures: `node make-photos.ts FOLDER` writes a photo of 12 and one of 50 megapixels, and a small file
// that would decode to 2.5 gigapixels.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { findPhotographs } from '@marketplace/stack/demo/photographs.ts'
import { decodePicture, type DecodedPicture } from '../../services/catalog/src/picture/processing/decode-picture.ts'
import { encodePicture } from '../../services/catalog/src/picture/processing/encode-picture.ts'

const [folder = '.'] = process.argv.slice(2)
const [photograph] = findPhotographs()
const picture = await decodePicture(readFileSync(photograph?.file ?? ''), 'image/jpeg')

for (const [name, width, height] of [
  ['12.jpg', 4000, 3000],
  ['50.jpg', 8160, 6120],
] as const) {
  const { files } = await encodePicture(enlarge(picture, width, height), ['jpeg'])
  const largest = files.find((file) => file.name === `${width}.jpg`)
  writeFileSync(join(folder, name), largest?.body ?? '')
}
writeFileSync(join(folder, 'bomb.png'), makeBomb(50_000))

function enlarge({ pixels, ...from }: DecodedPicture, width: number, height: number): DecodedPicture {
  const rows = Array.from({ length: from.height }, (_, y) =>
    enlargeRow(pixels.subarray(y * from.width * 3), from.width, width),
  )
  const enlarged = Array.from(
    { length: height },
    (_, y) => rows[Math.floor((y * from.height) / height)] ?? Buffer.alloc(0),
  )
  return { pixels: Buffer.concat(enlarged), width, height }
}

function enlargeRow(row: Buffer, from: number, width: number): Buffer {
  const enlarged = Buffer.allocUnsafe(width * 3)
  for (let x = 0; x < width; x += 1)
    row.copy(enlarged, x * 3, Math.floor((x * from) / width) * 3, Math.floor((x * from) / width) * 3 + 3)
  return enlarged
}

// The header states the size; the data is compressed zeros.
function makeBomb(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt16BE(0x08_02, 8)
  const data = deflateSync(Buffer.alloc(20_000_000))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
