import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor, type Comment } from 'oxc-parser'
import { z } from 'zod'
import { root } from '../run/run.ts'

export interface Setting {
  name: string
  /** The default, `optional`, or `required`. */
  value: string
  meaning: string
}

/** The settings that one schema of a config file defines. */
export interface SettingGroup {
  /** The comment above the schema, which says which processes read the settings. Empty without a comment. */
  scope: string
  settings: Setting[]
}

type Schemas = Readonly<Record<string, z.ZodObject>>

/** Returns the paths of all files with schemas of settings, relative to the root. */
export function listConfigFiles(): string[] {
  const paths = ['packages/kit/src/config/config.ts', 'ops/commands/settings.ts', 'web/server/config.ts']
  return [...paths, ...globSync('services/*/src/**/config.ts', { cwd: root })]
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
}

/** Imports a config file and returns the schemas that it exports. Reads no environment variables. */
export async function importSchemas(path: string): Promise<Schemas> {
  const exported: Record<string, unknown> = await import(pathToFileURL(join(root, path)).href)
  const isSchema = (entry: [string, unknown]): entry is [string, z.ZodObject] => entry[1] instanceof z.ZodObject
  return Object.fromEntries(Object.entries(exported).filter(isSchema))
}

/**
 * Returns the settings of a config file, grouped by schema. A setting is an upper-case key of a schema; its meaning is the
 * comment above the key. Throws if a schema with settings is not exported.
 */
export function findSettings(file: string, text: string, schemas: Schemas): SettingGroup[] {
  const { program, comments } = parseSync(file, text)
  const found = new Map<string, SettingGroup>()
  let variable = ''
  let scope = ''
  new Visitor({
    VariableDeclarator: ({ id, start }) => {
      if (id.type !== 'Identifier') return
      variable = id.name
      // The comment is above the line, which can begin with `export`.
      scope = meaningOf(comments, text, text.lastIndexOf('\n', start) + 1)
    },
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
        const { name } = property.key
        if (!/^[A-Z][A-Z0-9_]+$/.test(name)) continue
        const schema = schemas[variable]
        if (!schema) throw new Error(`${file} must export ${variable}, which has the setting ${name}.`)
        const setting: z.ZodType | undefined = schema.shape[name]
        // A key of `omit` is not in the schema.
        if (!setting) continue
        const group = found.get(variable) ?? { scope, settings: [] }
        found.set(variable, group)
        const meaning = meaningOf(comments, text, property.start)
        group.settings.push({ name, value: formatDefault(name, setting), meaning })
      }
    },
  }).visit(program)
  return [...found.values()]
}

const Default = z.union([z.string(), z.boolean()])

function formatDefault(name: string, setting: z.ZodType): string {
  const { success, data } = setting.safeParse(undefined)
  if (!success) return 'required'
  if (data === undefined) return 'optional'
  if (typeof data === 'number') return name.endsWith('_MS') ? withUnit(data) : data.toLocaleString('en-US')
  const text = Array.isArray(data) ? data.join(',') : Default.parse(data).toString()
  return text === '' ? 'empty' : `\`${text}\``
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Formats milliseconds in the largest unit that gives a whole number. */
function withUnit(ms: number): string {
  if (ms === 0) return '0'
  const unit = units.find(([, size]) => ms % size === 0)
  return unit ? `${ms / unit[1]} ${unit[0]}` : `${ms} ms`
}

function meaningOf(comments: readonly Comment[], text: string, start: number): string {
  const above: string[] = []
  for (let end = start; ;) {
    const comment = comments.find((candidate) => candidate.end <= end && text.slice(candidate.end, end).trim() === '')
    if (!comment || comment.end > end) break
    above.unshift(comment.value.replaceAll(/^\s*\*+/gm, '').trim())
    end = comment.start
  }
  return above.join(' ').replaceAll(/\s+/g, ' ').trim()
}
