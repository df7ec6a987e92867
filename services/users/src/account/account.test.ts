import { DomainError } from '@marketplace/kit/errors/problem.ts'
import { expect, it } from 'vitest'
import { toPerson } from './account.ts'

const plain = { sub: '1', email: 'alice@example.com', name: 'Alice', picture: 'https://pictures.example/a.jpg' }

it.each([
  ['keeps markup as text', { name: '<img src=x onerror=alert(1)>' }, { name: '<img src=x onerror=alert(1)>' }],
  ['truncates a name of a megabyte', { name: 'x'.repeat(1_000_000) }, { name: 'x'.repeat(100) }],
  ['counts code points, not UTF-16 units', { name: '😀'.repeat(200) }, { name: '😀'.repeat(100) }],
  [
    'replaces line breaks and NUL by spaces',
    { name: 'Al\u0000ice\n{"level":"fatal"}' },
    { name: 'Al ice {"level":"fatal"}' },
  ],
  ['replaces a lone surrogate', { name: 'A\uD800' }, { name: 'A\uFFFD' }],
  ['replaces direction overrides by spaces', { name: 'Alice\u202Emoc.live\u202C' }, { name: 'Alice moc.live\u202C' }],
  ['replaces the controls of the second range', { name: 'Al\u0085ice\u009F' }, { name: 'Al ice' }],
  ['keeps names in Hebrew and in Arabic', { name: 'דנה ليلى' }, { name: 'דנה ليلى' }],
  ['uses the name Member for invisible characters', { name: '\u200B\u2060\uFEFF\u3164' }, { name: 'Member' }],
  ['uses the name Member for direction overrides alone', { name: '\u202E\u202D' }, { name: 'Member' }],
  ['cuts after 100 characters before it trims', { name: `${'x'.repeat(99)} y` }, { name: 'x'.repeat(99) }],
  ['uses the name Member for an empty name', { name: ' ' }, { name: 'Member' }],
  ['uses the name Member if the name is not text', { name: { $gt: 0 } }, { name: 'Member' }],
  ['drops a picture with a javascript URL', { picture: 'javascript:alert(1)' }, { picture: null }],
  ['drops an inline picture that is not base64', { picture: 'data:image/svg+xml,<svg/>' }, { picture: null }],
  ['drops an inline page', { picture: 'data:text/html;base64,PGI+' }, { picture: null }],
  [
    'keeps an inline base64 picture',
    { picture: 'data:image/svg+xml;base64,PHN2Zy8+' },
    { picture: 'data:image/svg+xml;base64,PHN2Zy8+' },
  ],
  ['drops a picture URL of a megabyte', { picture: `https://x.example/${'a'.repeat(1_000_000)}` }, { picture: null }],
  ['keeps a picture with an http URL', { picture: 'http://x.example/a.jpg' }, { picture: 'http://x.example/a.jpg' }],
  ['accepts a missing picture', { picture: undefined }, { picture: null }],
])('A14 validates the claims of a provider: %s', (_, changed, expected) => {
  const person = { subject: '1', email: plain.email, name: plain.name, picture: plain.picture }
  expect(toPerson({ ...plain, ...changed })).toEqual({ ...person, ...expected })
})

it.each([[undefined], [''], [42], [`${'x'.repeat(400)}@example.com`]])(
  'rejects claims without a usable email address: %s',
  (email) => {
    expect(() => toPerson({ ...plain, email })).toThrow(DomainError)
  },
)
