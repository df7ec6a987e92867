import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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

describe('a setting that the page names', () => {
  const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8')
  /** Returns the default of a setting in each section of docs/settings.md that has the setting. */
  const defaultsOf = (name: string) =>
    [...settings.matchAll(/^\| `(\w+)` \| (.*?) ?\|/gm)].flatMap(([, row, value = '']) => (row === name ? [value] : []))

  const named = new Set([...page.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, name = '']) => name))
  it.each([...named])('is in docs/settings.md: %s', (name) => {
    expect(defaultsOf(name)).not.toEqual([])
  })

  const cells = [...page.matchAll(/^\| ([^|]+) \| (`[A-Z][^|]+) \| ([^|]+) \|/gm)]
  const bounds = cells.flatMap(([, bound = '', names = '', cell = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ bound, name, cell })),
  )
  it.each(bounds)('has its default in the row of the bound: $bound, $name', ({ name, cell }) => {
    const amounts: readonly string[] = cell.match(/\$?\d[\d,.]*(?<=\d)(?: (?:days|minutes|s)\b)?/g) ?? []
    const defaults = defaultsOf(name).filter((value) => value !== 'optional' && value !== 'required')
    expect(defaults).not.toEqual([])
    for (const value of defaults) expect(amounts).toContain(toAmount(name, value))
  })
})

/** Writes a default of docs/settings.md as the page of the bounds does: `90 d` as days, cents as dollars. */
function toAmount(name: string, value: string): string {
  if (name.endsWith('_CENTS')) return `$${(Number(value.replaceAll(',', '')) / 100).toLocaleString('en-US')}`
  return value.replace(/ d$/, ' days').replace(/ min$/, ' minutes')
}
