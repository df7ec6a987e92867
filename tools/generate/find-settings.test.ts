import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { root } from '../run/run.ts'
import { findSettings, importSchemas, listConfigFiles } from './find-settings.ts'

const text = `
const settings = base.omit({ HOST: true }).extend({
  DATABASE_URL: z.string().min(1),
  /** How long the winner
   * has to pay. */
  WIN_PAYMENT_WINDOW_MS: durationMs.default(48 * hourMs),
  REDIS_URL: address,
  // Bounds the
  // log.
  LOG_LEVEL: logLevel,
  REUSE_PORT: flag,
  FORMATS: list.default(importedFormats),
  HOSTS: list,
  MAX_BIDS: bounds.maxBids,
  lower: z.string(),
})`
const list = z.string().default('')
const settings = z.object({
  DATABASE_URL: z.string().min(1),
  WIN_PAYMENT_WINDOW_MS: z.number().default(172_800_000),
  REDIS_URL: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['debug', 'info']).default('info'),
  REUSE_PORT: z.stringbool().default(false),
  FORMATS: list.default('avif,jpeg').transform((value) => value.split(',')),
  HOSTS: list.transform((value) => value.split(',').filter(Boolean)),
  MAX_BIDS: z.coerce.number().default(20_000),
  lower: z.string(),
})

describe('the settings of a config file', () => {
  it('have the defaults of their schema and the meaning of their comment', () => {
    const found = [
      { name: 'DATABASE_URL', value: 'required', meaning: '' },
      { name: 'WIN_PAYMENT_WINDOW_MS', value: '2 d', meaning: 'How long the winner has to pay.' },
      { name: 'REDIS_URL', value: 'optional', meaning: '' },
      { name: 'LOG_LEVEL', value: '`info`', meaning: 'Bounds the log.' },
      { name: 'REUSE_PORT', value: '`false`', meaning: '' },
      { name: 'FORMATS', value: '`avif,jpeg`', meaning: '' },
      { name: 'HOSTS', value: 'empty', meaning: '' },
      { name: 'MAX_BIDS', value: '20,000', meaning: '' },
    ]
    expect(findSettings('config.ts', text, { settings })).toEqual([{ scope: '', settings: found }])
  })

  it('are grouped by schema, each with the comment above the schema', () => {
    const twoSchemas = `
// Settings of every process.
export const shared = z.object({ HOST: z.string() })

/** Settings of
 * a service. */
export const service = shared.extend({ PORT: port })`
    const shared = z.object({ HOST: z.string() })
    const service = shared.extend({ PORT: z.number() })
    expect(findSettings('config.ts', twoSchemas, { shared, service })).toEqual([
      { scope: 'Settings of every process.', settings: [{ name: 'HOST', value: 'required', meaning: '' }] },
      { scope: 'Settings of a service.', settings: [{ name: 'PORT', value: 'required', meaning: '' }] },
    ])
  })

  it('need an exported schema', () => {
    expect(() => findSettings('config.ts', text, {})).toThrow('config.ts must export settings')
  })
})

const page = readFileSync(join(root, 'docs/settings.md'), 'utf8')

/** Returns what a setting needs: `required`, `optional`, or `default` if it parses without a value. */
function needOf(setting: z.ZodType | undefined): string | undefined {
  const parsed = setting?.safeParse(undefined)
  if (!parsed?.success) return parsed && 'required'
  return parsed.data === undefined ? 'optional' : 'default'
}

const needs = (cell: string) => (cell === '' ? 'nothing' : /^(required|optional)$/.test(cell) ? cell : 'default')

describe('docs/settings.md', () => {
  it.each(listConfigFiles())('states what each setting of %s needs', async (path) => {
    const section = page.split('\n## ').find((part) => part.includes(`\nSource: \`${path}\`.`)) ?? ''
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.*?) ?\|/gm)].map(([, name = '', cell = '']) => ({ name, cell }))
    const schemas = Object.values(await importSchemas(path))
    const expected = rows.map(({ name }) => {
      const owner = schemas.find(({ shape }) => name in shape)
      return `${name}: ${needOf(owner?.shape[name]) ?? 'not in the schemas'}`
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ name, cell }) => `${name}: ${needs(cell)}`)).toEqual(expected)
  })
})
