import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { readListings } from './listings.ts'
import { findPhotographs } from './photographs.ts'
import { makePictures, picturePath } from './pictures.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-photographs-'))
const logDir = join(dataDir, 'logs')
mkdirSync(join(dataDir, 'pictures'))
mkdirSync(logDir)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const portrait = 'xavier-teo-469050'
const cropped = 'ruslan-bardash-351288'
const panorama = 'locomotion-house-cat'
const names = [portrait, cropped, panorama]
const make = (some: readonly string[]) => {
  const listings = readListings().filter(({ photograph }) => some.includes(photograph))
  return makePictures({ dataDir, logDir, listings })
}
const fileOf = (name: string, width: number) => join(dataDir, 'pictures', name, `${width}.webp`)
const sizesOf = async (name: string) => {
  const files = await Promise.all([640, 1600].map((width) => sharp(fileOf(name, width)).metadata()))
  return files.map(({ width, height }) => `${width} x ${height}`)
}

describe('the pictures of the demo data', () => {
  it('cover a card at twice its size, and keep the original’s resolution for the gallery', async () => {
    await make(names)
    // 1200 x 1600, uncropped.
    expect(await sizesOf(portrait)).toEqual(['640 x 853', '1200 x 1600'])
    // 1067 x 1600, rows 14 to 92.
    expect(await sizesOf(cropped)).toEqual(['640 x 749', '1067 x 1248'])
    // 1024 x 510: at 640 pixels wide it would be too low for a card.
    expect(await sizesOf(panorama)).toEqual(['964 x 480', '1024 x 510'])
  })

  it('are WebP without metadata of camera or place', async () => {
    await make(names)
    for (const name of names) {
      const { format, exif, xmp, icc } = await sharp(fileOf(name, 1600)).metadata()
      expect({ name, format, exif, xmp, icc }).toEqual({ name, format: 'webp' })
    }
  })

  it('are created once, and again when the set of photographs changes', async () => {
    await make(names)
    const madeAt = () => statSync(fileOf(portrait, 640)).mtimeMs
    const first = madeAt()
    await make(names)
    expect(madeAt()).toBe(first)
    await make([portrait])
    expect(madeAt()).toBeGreaterThan(first)
  })

  it('have addresses with the photograph’s name', () => {
    const [listing] = readListings()
    expect(listing && picturePath(listing)).toBe('/demo-pictures/eniko-kis-663725/1600.webp')
  })

  it('fail with the reason', async () => {
    const full = join(dataDir, 'full')
    mkdirSync(full)
    writeFileSync(join(full, 'pictures'), 'a file where the folder should be')
    await expect(makePictures({ dataDir: full, logDir: full })).rejects.toThrow(
      /^The pictures could not be made \(code 1\): .*'mkdir'/,
    )
  })
})

describe('a photograph', () => {
  it('has its author from its file name or its package', () => {
    const authors = new Map(findPhotographs().map(({ name, author }) => [name, author]))
    expect(authors.get('oscar-ivan-esquivel-arteaga-687447')).toBe('Oscar Ivan Esquivel Arteaga')
    expect(authors.get('nagasaki-boats')).toBe('Felice Beato')
  })
})
