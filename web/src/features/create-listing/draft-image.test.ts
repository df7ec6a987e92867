import { describe, expect, it } from 'vitest'
import { hasOnlyUrls, isDraftImage, moveImage, toNewPictures, typedImage, uploadedImage } from './draft-image.ts'

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

  it('are read from storage only in the current form', () => {
    expect([typed, unfinished, ready].map(isDraftImage)).toEqual([true, true, true])
    expect([null, 'https://a.example/1.jpg', { ...typed, alt: 1 }].map(isDraftImage)).toEqual([false, false, false])
  })
})
