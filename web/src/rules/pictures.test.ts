import { expect, it } from 'vitest'
import { picturesOf, sizesOf, sourcesOf } from './pictures.ts'

const facts = {
  base: 'https://pictures.example/pictures/1-ab',
  widths: [320, 640, 1280],
  formats: ['jpeg' as const, 'webp' as const],
  width: 1048,
  height: 786,
  thumbhash: 'AAAA',
}

it('PHOTO-27 lists the files of an uploaded picture, the best format first, with their widths', () => {
  const files = (extension: string) =>
    [
      `${facts.base}/320.${extension} 320w`,
      `${facts.base}/640.${extension} 640w`,
      `${facts.base}/1280.${extension} 1048w`,
    ].join(', ')
  expect(sourcesOf(facts)).toEqual([
    { type: 'image/webp', srcSet: files('webp') },
    { type: 'image/jpeg', srcSet: files('jpg') },
  ])
})

it('PHOTO-27 asks for a wider file of a panorama that covers a card', () => {
  expect(sizesOf(facts, 'card')).toBe('(max-width: 30em) calc(50vw - 1.5rem), 20rem')
  expect(sizesOf({ width: 1500, height: 1000 }, 'card')).toBe('(max-width: 30em) calc(50vw - 1.5rem), 24rem')
  expect(sizesOf({ width: 2000, height: 1000 }, 'card')).toBe('(max-width: 30em) calc(75vw - 1.5rem), 30rem')
  expect(sizesOf(facts, 'shelf')).toBe('(max-width: 26.25em) 10.5rem, (max-width: 37.5em) 40vw, 15rem')
  expect(sizesOf({ width: 2000, height: 1000 }, 'gallery')).toBe('(max-width: 56em) 100vw, 48rem')
})

it('takes the facts of uploaded pictures only', () => {
  const url = 'https://a.example/1.jpg'
  const unknown = { base: null, widths: null, formats: null, width: null, height: null, thumbhash: null }
  const pictures = [
    { url: 'u', alt: 'A lamp', ...facts },
    { url, alt: null, ...unknown },
  ]
  expect(picturesOf({ image_urls_parsed: ['u', url], pictures })).toEqual([
    { url: 'u', alt: 'A lamp', facts },
    { url, alt: null, facts: null },
  ])
})

it('takes the URLs of a response without pictures', () => {
  expect(picturesOf({ image_urls_parsed: ['u'] })).toEqual([{ url: 'u', alt: null, facts: null }])
})
