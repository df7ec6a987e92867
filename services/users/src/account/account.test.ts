import { DomainError } from '@marketplace/kit/problem.ts'
import { expect, it } from 'vitest'
import { personOf } from './account.ts'

const plain = { sub: '1', email: 'alice@example.com', name: 'Alice', picture: 'https://pictures.example/a.jpg' }

it.each([
  ['markup stays text', { name: '<img src=x onerror=alert(1)>' }, { name: '<img src=x onerror=alert(1)>' }],
  ['a megabyte is cut', { name: 'x'.repeat(1_000_000) }, { name: 'x'.repeat(100) }],
  ['characters are code points', { name: '😀'.repeat(200) }, { name: '😀'.repeat(100) }],
  ['lines and NUL become spaces', { name: 'Al\u0000ice\n{"level":"fatal"}' }, { name: 'Al ice {"level":"fatal"}' }],
  ['a lone surrogate is replaced', { name: 'A\uD800' }, { name: 'A\uFFFD' }],
  ['no name is a member', { name: ' ' }, { name: 'Member' }],
  ['a name that is no text is a member', { name: { $gt: 0 } }, { name: 'Member' }],
  ['a script is no picture', { picture: 'javascript:alert(1)' }, { picture: null }],
  ['markup that is not encoded is no picture', { picture: 'data:image/svg+xml,<svg/>' }, { picture: null }],
  ['a page is no picture', { picture: 'data:text/html;base64,PGI+' }, { picture: null }],
  [
    'a picture may be drawn inline',
    { picture: 'data:image/svg+xml;base64,PHN2Zy8+' },
    { picture: 'data:image/svg+xml;base64,PHN2Zy8+' },
  ],
  ['a megabyte is no picture', { picture: `https://x.example/${'a'.repeat(1_000_000)}` }, { picture: null }],
  ['a picture may come over http', { picture: 'http://x.example/a.jpg' }, { picture: 'http://x.example/a.jpg' }],
  ['no picture is fine', { picture: undefined }, { picture: null }],
])('A14 takes what a provider says as capped text: %s', (_, said, kept) => {
  const person = { subject: '1', email: plain.email, name: plain.name, picture: plain.picture }
  expect(personOf({ ...plain, ...said })).toEqual({ ...person, ...kept })
})

it.each([[undefined], [''], [42], [`${'x'.repeat(400)}@example.com`]])(
  'refuses who has no e-mail address: %s',
  (email) => {
    expect(() => personOf({ ...plain, email })).toThrow(DomainError)
  },
)
