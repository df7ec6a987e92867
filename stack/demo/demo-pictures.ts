// Started by demo/pictures.ts: `node demo-pictures.ts FOLDER PHOTOGRAPH...` writes two WebP files for each photograph.
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { readListings, type DemoListing } from './listings.ts'
import { findPhotographs } from './photographs.ts'

const [folder = '.', ...photographs] = process.argv.slice(2)
const files = new Map(findPhotographs().map(({ name, file }) => [name, file]))

// One thread per file: both files of a photograph are encoded concurrently, and more threads would slow the services that start at
// the same time.
sharp.concurrency(1)

for (const listing of readListings()) if (photographs.includes(listing.photograph)) await makePictures(listing)

async function makePictures({ photograph, rows }: DemoListing): Promise<void> {
  const target = join(folder, photograph)
  mkdirSync(target, { recursive: true })
  const whole = sharp(files.get(photograph))
  const { width, height } = await whole.metadata()
  const top = Math.round(height * rows.from)
  const picture = whole.extract({ left: 0, top, width, height: Math.round(height * rows.to) - top })
  // Covers the 4:3 picture of a card, which is at most 20rem wide, at twice its size.
  const small = picture.clone().resize(640, 480, { fit: 'outside', withoutEnlargement: true })
  const large = picture.clone().resize(1600, 1600, { fit: 'inside', withoutEnlargement: true })
  await Promise.all([write(small, join(target, '640.webp'), 75), write(large, join(target, '1600.webp'), 78)])
}

// Renamed when complete, since the web server may already serve the folder. The default effort, 4, saves 5 % of the
// bytes and takes twice as long.
async function write(picture: Sharp, file: string, quality: number): Promise<void> {
  await picture.webp({ quality, effort: 2 }).toFile(`${file}.new`)
  renameSync(`${file}.new`, file)
}
