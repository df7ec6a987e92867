import { describe, expect, it } from 'vitest'
import {
  canMoveImage,
  hasOnlyUrls,
  isDraftImage,
  moveImage,
  toNewPictures,
  typedImage,
  uploadedImage,
} from './draft-image.ts'

const typed = typedImage('https://a.example/1.jpg')
const unfinished = uploadedImage('k1')
const ready = { ...uploadedImage('k2'), url: 'https://pictures.example/2/1280.jpg', pictureId: 'p2', alt: ' A lamp ' }

describe('photos of a draft', () => {
  it('are sent as image_urls only if none is uploaded or described', () => {
    expect(hasOnlyUrls([typed])).toBe(true)
    expect([[ready], [unfinished], [{ ...typed, alt: 'A lamp' }]].map(hasOnlyUrls)).toEqual([false, false, false])
  })

  it('PHOTO-26 are sent with their ids or URLs and alt texts, without unfinished uploads', () => {
    expect(toNewPictures([typed, unfinished, ready])).toEqual([
      { url: 'https://a.example/1.jpg', alt: '' },
      { id: 'p2', alt: 'A lamp' },
    ])
  })

  it.each([
    [2, 0, ['c', 'a', 'b']],
    [0, 2, ['b', 'c', 'a']],
    [9, 0, ['a', 'b', 'c']],
  ])('move from %i to %i', (from, to, keys) => {
    expect(moveImage(['a', 'b', 'c'].map(uploadedImage), from, to).map(({ key }) => key)).toEqual(keys)
  })

  it.each([
    ['to a place that exists', 'abc', { from: 2, to: 1 }, true],
    ['not to their own place', 'abc', { from: 1, to: 1 }, false],
    ['not before the first place', 'abc', { from: 0, to: -1 }, false],
    ['not after the last place', 'abc', { from: 2, to: 3 }, false],
    ['not to the first place if they are unreadable', 'abX', { from: 2, to: 0 }, false],
    ['to another place if they are unreadable', 'abX', { from: 2, to: 1 }, true],
    ['to the first place before an unreadable one', 'aXb', { from: 2, to: 0 }, true],
    ['not from the first place to leave it to an unreadable one', 'aXb', { from: 0, to: 1 }, false],
    ['behind an unreadable one that is the first already', 'Xab', { from: 1, to: 2 }, true],
  ])('PHOTO-22 can be moved only as allowed: %s', (_case, keys, places, expected) => {
    expect(canMoveImage(Array.from(keys, uploadedImage), places, new Set('X'))).toBe(expected)
  })

  it('are read from storage only in the current form', () => {
    expect([typed, unfinished, ready].map(isDraftImage)).toEqual([true, true, true])
    expect([null, 'https://a.example/1.jpg', { ...typed, alt: 1 }].map(isDraftImage)).toEqual([false, false, false])
  })
})
