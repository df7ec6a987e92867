import { expect, it } from 'vitest'
import { srcSetOf } from './pictures.ts'

const origin = 'http://localhost:8080'
const folder = `${origin}/demo-pictures/eniko-kis-663725`

it('lists both files of a picture of the demo data', () => {
  expect(srcSetOf(`${folder}/1600.webp`, origin)).toBe(`${folder}/640.webp 640w, ${folder}/1600.webp 1600w`)
})

it.each([
  ['the address of another site', 'https://pictures.example/demo-pictures/a/1600.webp'],
  ['a site whose name begins with ours', `${origin}.example/demo-pictures/a/1600.webp`],
  ['another folder', `${origin}/pictures/a/1600.webp`],
  ['another file', `${origin}/demo-pictures/lost.jpg`],
  ['a file with a query', `${folder}/1600.webp?1`],
])('knows one file of %s', (_what, src) => {
  expect(srcSetOf(src, origin)).toBeUndefined()
})
