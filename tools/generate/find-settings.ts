import { parseSync, Visitor, type Comment, type Expression } from 'oxc-parser'

export interface Setting {
  name: string
  /** The default, `optional`, or `required`. */
  value: string
  meaning: string
}

/** Finds the settings of a config file: upper-case keys of its schemas, with the comment above each. */
export function findSettings(file: string, text: string, constants: ReadonlyMap<string, number>): Setting[] {
  const { program, comments } = parseSync(file, text)
  const found: Setting[] = []
  new Visitor({
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
        const { key, value, start } = property
        if (!/^[A-Z][A-Z0-9_]+$/.test(key.name)) continue
        const schema = text.slice(value.start, value.end)
        const given = defaultOf(value, schema, constants)
        found.push({
          name: key.name,
          value: key.name.endsWith('_MS') ? withUnit(given) : given,
          meaning: meaningOf(comments, text, start),
        })
      }
    },
  }).visit(program)
  return found
}

/** Reads `const name = 24 * hourMs` of all texts. */
export function readConstants(texts: readonly string[]): Map<string, number> {
  const constants = new Map<string, number>()
  for (const text of texts)
    for (const { id, init } of constantsIn(text)) {
      const value = init && numberOf(init, constants)
      if (value !== undefined && value !== null) constants.set(id, value)
    }
  return constants
}

function constantsIn(text: string): { id: string; init: Expression | null }[] {
  const found: { id: string; init: Expression | null }[] = []
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier') found.push({ id: id.name, init })
    },
  }).visit(parseSync('constants.ts', text).program)
  return found
}

function numberOf(node: Expression, constants: ReadonlyMap<string, number>): number | undefined {
  if (node.type === 'Literal' && typeof node.value === 'number') return node.value
  if (node.type === 'Identifier') return constants.get(node.name)
  if (node.type !== 'BinaryExpression' || node.left.type === 'PrivateIdentifier') return undefined
  const [left, right] = [numberOf(node.left, constants), numberOf(node.right, constants)]
  if (left === undefined || right === undefined) return undefined
  return node.operator === '*' ? left * right : node.operator === '/' ? left / right : undefined
}

function defaultOf(node: Expression, schema: string, constants: ReadonlyMap<string, number>): string {
  const given = defaultArgument(node)
  if (given) {
    const value = numberOf(given, constants)
    if (value !== undefined) return value.toLocaleString('en-US')
    return given.type === 'Literal' ? `\`${String(given.value)}\``.replace('``', 'empty') : ''
  }
  if (schema.endsWith('.optional()')) return 'optional'
  if (/^(flag|list)\b/.test(schema)) return schema.startsWith('flag') ? '`false`' : 'empty'
  return 'required'
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Formats milliseconds in the largest unit that gives a whole number. */
function withUnit(value: string): string {
  const ms = Number(value.replaceAll(',', ''))
  const unit = units.find(([, size]) => ms > 0 && ms % size === 0)
  if (Number.isNaN(ms) || ms === 0) return value
  return unit ? `${ms / unit[1]} ${unit[0]}` : `${value} ms`
}

/** Returns the argument of `.default(…)` in a chain of calls. */
function defaultArgument(node: Expression): Expression | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined
  const { property, object } = node.callee
  const [first] = node.arguments
  if (property.type === 'Identifier' && property.name === 'default' && first?.type !== 'SpreadElement') return first
  return defaultArgument(object)
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
