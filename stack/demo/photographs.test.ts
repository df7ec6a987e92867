import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readListings } from './listings.ts'
import { detailFile, mainFile, withPhotographFiles } from './photograph-files.ts'
import { findPhotographs } from './photographs.ts'

const sizeOf = async (file: string) => {
  const { width, height, exif } = await sharp(file).metadata()
  return { size: `${width} x ${height}`, exif }
}
const select = (...names: string[]) => readListings().filter(({ photograph }) => names.includes(photograph))

describe('the photos of the demo data', () => {
  it('are cropped to the visible part, without metadata, and deleted after use', async () => {
    // 1067 x 1600, rows 14 to 92; and 1600 x 1067, uncropped with a detail of 28 x 33 percent.
    const listings = select('ruslan-bardash-351288', 'eniko-kis-663725')
    const folder = await withPhotographFiles(listings, async (folder) => {
      expect(await sizeOf(mainFile(folder, 'ruslan-bardash-351288'))).toEqual({ size: '1067 x 1248' })
      expect(await sizeOf(mainFile(folder, 'eniko-kis-663725'))).toEqual({ size: '1600 x 1067' })
      expect(await sizeOf(detailFile(folder, 'eniko-kis-663725'))).toEqual({ size: '448 x 353' })
      return folder
    })
    expect(() => readdirSync(folder)).toThrow('ENOENT')
  })

  it('have details of at least 300 pixels', async () => {
    const listings = readListings().filter(({ detail }) => detail !== undefined)
    await withPhotographFiles(listings, async (folder) => {
      const details = readdirSync(folder).filter((file) => file.endsWith('-detail.jpg'))
      const sizes = await Promise.all(details.map((file) => sharp(join(folder, file)).metadata()))
      expect(sizes).toHaveLength(20)
      expect(sizes.filter(({ width, height }) => Math.min(width, height) < 300)).toEqual([])
    })
  })
})

describe('a photograph', () => {
  it('has its author from its file name or its package', () => {
    const authors = new Map(findPhotographs().map(({ name, author }) => [name, author]))
    expect(authors.get('oscar-ivan-esquivel-arteaga-687447')).toBe('Oscar Ivan Esquivel Arteaga')
    expect(authors.get('nagasaki-boats')).toBe('Felice Beato')
  })
})
