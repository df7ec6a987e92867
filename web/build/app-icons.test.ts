import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { icons, renderIcon } from './app-icons.ts'

const favicon = await readFile(join(import.meta.dirname, '../public/favicon.svg'))

it.each(icons)('renders $file at its size, with square corners only where the system cuts the shape', async (icon) => {
  const image = sharp(await renderIcon(favicon, icon)).flatten({ background: '#ffffff' })
  const { width, height } = await image.metadata()
  expect([width, height]).toEqual([icon.size, icon.size])
  const corner = await image.extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer()
  expect([...corner]).toEqual(icon.purpose === 'any' ? [255, 255, 255] : [0x0b, 0x7a, 0x55])
})
