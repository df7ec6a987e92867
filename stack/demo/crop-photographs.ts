// Started by demo/photograph-files.ts: `node crop-photographs.ts FOLDER PHOTOGRAPH...` writes the JPEG files of these photographs.
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { readListings, type Area, type DemoListing } from './listings.ts'
import { detailFile, mainFile } from './photograph-files.ts'
import { findPhotographs } from './photographs.ts'

const [folder = '.', ...photographs] = process.argv.slice(2)
const files = new Map(findPhotographs().map(({ name, file }) => [name, file]))

sharp.concurrency(1)

for (const listing of readListings()) if (photographs.includes(listing.photograph)) await cropPhotograph(listing)

async function cropPhotograph({ photograph, rows, detail }: DemoListing): Promise<void> {
  const main = await crop(files.get(photograph), { left: 0, right: 1, top: rows.from, bottom: rows.to })
  writeFileSync(mainFile(folder, photograph), main)
  if (detail !== undefined) writeFileSync(detailFile(folder, photograph), await crop(main, detail))
}

async function crop(picture: string | Buffer | undefined, { left, right, top, bottom }: Area): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const x = Math.round(width * left)
  const y = Math.round(height * top)
  const area = { left: x, top: y, width: Math.round(width * right) - x, height: Math.round(height * bottom) - y }
  return sharp(picture).extract(area).jpeg({ quality: 90 }).toBuffer()
}
