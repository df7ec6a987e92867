import { rgbaToThumbHash, thumbHashToAverageRGBA } from 'thumbhash'
import { expect, it } from 'vitest'
import { averageColor } from './thumbhash.ts'

it.each([
  ['red', [220, 30, 20]],
  ['dark blue', [10, 20, 90]],
  ['white', [255, 255, 255]],
])('PHOTO-28 computes the average color of a %s picture as the package thumbhash does', (_name, rgb) => {
  const pixels = Array.from({ length: 64 }, () => [...rgb, 255]).flat()
  const hash = rgbaToThumbHash(8, 8, pixels)
  const { r, g, b } = thumbHashToAverageRGBA(hash)
  const expected = [r, g, b].map((value) => Math.round(value * 255))
  const color = averageColor(Buffer.from(hash).toString('base64'))
  expect(color.match(/[\da-f]{2}/g)?.map((hex) => Number.parseInt(hex, 16))).toEqual(expected)
})
