import { expect, it } from 'vitest'
import { nextCursor } from './paged.ts'

it.each([
  ['</api/listings?search=lamp&cursor=a%2Fb>; rel="next"', 'a/b'],
  ['<https://shop.example/api/listings?cursor=x>; rel=next', 'x'],
  ['</api/listings>; rel="first", </api/listings?cursor=y>; title="more"; rel="next"', 'y'],
  ['</api/listings?cursor=z>; rel="prev"', null],
  [null, null],
])('reads the next cursor of %s', (header, cursor) => {
  expect(nextCursor(header)).toBe(cursor)
})
