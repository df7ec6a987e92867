import { expect, it } from 'vitest'
import { summarizeDraft } from './draft-summary.ts'

it.each<[Record<string, unknown>, string, string | null]>([
  [{ title: ' Half a lamp ', images: [{ url: 'https://a.example/1.jpg' }] }, 'Half a lamp', 'https://a.example/1.jpg'],
  [{ title: 'x'.repeat(5000) }, 'x'.repeat(200), null],
  [{ title: ' ', images: [{ url: null }] }, 'Untitled draft', null],
  [{}, 'Untitled draft', null],
  [{ title: { a: 1 }, images: 'none' }, 'Untitled draft', null],
  [{ title: 7, images: [null] }, 'Untitled draft', null],
])('LIFE-21 a draft %j is shown as %s with the picture %s', (body, title, picture) => {
  expect(summarizeDraft({ body })).toEqual({ title, picture })
})
