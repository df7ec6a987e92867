import { readdirSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readListings, type Area, type DemoListing } from './listings.ts'
import { detailFile, mainFile, withPhotographFiles } from './photograph-files.ts'
import { findPhotographs } from './photographs.ts'

const sizeOf = async (file: string) => {
  const { width, height, exif } = await sharp(file).metadata()
  return { size: `${width} x ${height}`, exif }
}
async function shortSideOf(file: string | undefined, rows: DemoListing['rows'], detail: Area): Promise<number> {
  const { width, height } = await sharp(file).metadata()
  const shownHeight = height * (rows.to - rows.from)
  return Math.floor(Math.min(width * (detail.right - detail.left), shownHeight * (detail.bottom - detail.top)))
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
    const files = new Map(findPhotographs().map(({ name, file }) => [name, file]))
    const sides = readListings().flatMap(({ photograph, rows, detail }) =>
      detail === undefined ? [] : [shortSideOf(files.get(photograph), rows, detail)],
    )
    expect(sides).toHaveLength(20)
    expect(Math.min(...(await Promise.all(sides)))).toBeGreaterThanOrEqual(300)
  })
})

describe('a photograph', () => {
  it('has its author from its file name or its package', () => {
    const authors = new Map(findPhotographs().map(({ name, author }) => [name, author]))
    expect(authors.get('oscar-ivan-esquivel-arteaga-687447')).toBe('Oscar Ivan Esquivel Arteaga')
    expect(authors.get('nagasaki-boats')).toBe('Felice Beato')
  })
})
