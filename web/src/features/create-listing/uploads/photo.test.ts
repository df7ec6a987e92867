import { expect, it } from 'vitest'
import { isHeic, messageOf } from './photo.ts'
import { fit } from './prepare-photo.ts'

it('PHOTO-21 scales a photo to at most 3,000 pixels and never enlarges it', () => {
  expect(fit(6000, 4000)).toEqual({ width: 3000, height: 2000 })
  expect(fit(1000, 4000)).toEqual({ width: 750, height: 3000 })
  expect(fit(640, 480)).toEqual({ width: 640, height: 480 })
})

it('PHOTO-22 recognizes HEIC photos by their type or name', () => {
  const files = [
    { name: 'a.jpg', type: 'image/heic' },
    { name: 'IMG_1.HEIC', type: '' },
    { name: 'a.heif', type: 'image/heif' },
    { name: 'heic.jpg', type: 'image/jpeg' },
  ]
  expect(files.map(isHeic)).toEqual([true, true, true, false])
})

it.each([
  ['picture_too_large', 'This photo is larger than 12 MB.'],
  ['wrong_type', 'Use a JPEG, PNG, WebP or AVIF photo.'],
  ['too_small', "This photo is too small. Use one that's at least 200 × 200 pixels."],
  ['unreadable', "We couldn't read this photo."],
  [null, "We couldn't read this photo."],
])('PHOTO-22 explains the refusal %s', (reason, message) => {
  expect(messageOf(reason)).toBe(message)
})
