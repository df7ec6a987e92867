import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../run/run.ts'

const page = readFileSync(join(root, 'docs/architecture/bounds.md'), 'utf8')
const rows = [...page.matchAll(/\| `([\w./-]+\.test\.ts)`: (.+) \|$/gm)].map(([, file = '', title = '']) => ({
  file,
  title,
}))

it.each(rows)('the bound’s test exists: $file: $title', ({ file, title }) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(`'${title}'`)
})

it('every bound has a test', () => {
  const bounds = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| bound |^\|---/.test(line))
  expect(rows).toHaveLength(bounds.length)
})
