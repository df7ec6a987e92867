// Values that are invalid for every field of a kind.

export type Kind = 'text' | 'id' | 'dollars' | 'boolean' | 'choice' | 'whole' | 'list' | 'time' | 'code'

const nul = 'a\u0000b'
const loneSurrogate = 'a\uD800'
const structures = [{}, { $gt: '' }, [], ['a'], { __type: 'x' }]
const notText = [7, true, ...structures]

/** Values that no field of a kind accepts. */
export const badValues: Record<Kind, readonly unknown[]> = {
  text: [...notText, nul, loneSurrogate],
  code: [...notText, nul, loneSurrogate, '', '   '],
  id: [...notText, nul, '', 'zz', '1', '01890a5d', '０1890a5d-ac96-774b-bcce-b302099a8057', 'x'.repeat(5000)],
  dollars: ['5', '', -5, 0, 0.001, 12.345, 10_000_000, 1e300, true, ...structures],
  boolean: ['true', '', 1, 0, ...structures],
  choice: [...notText, '', 'nothing', 'ＮＥＷ', nul, 'x'.repeat(5000)],
  whole: [1.5, '1', -1, 1e20, true, ...structures],
  list: ['x', 7, true, {}, [7], [null], [{}], [[]]],
  time: [7, '', 'now', '2099-02-30T00:00:00Z', '2099-01-01T00:00:00', '2001-01-01T00:00:00Z', ...structures],
}

export interface Field {
  kind: Kind
  /** In code points. */
  max?: number
  /** The field may be absent or null. */
  isOptional?: boolean
}

export interface Form {
  /** A valid body whose ids do not exist. */
  body: Readonly<Record<string, unknown>>
  fields: Readonly<Record<string, Field>>
}

/** Returns the valid body with one wrong field each, and the name of that field. */
export function invalidBodies({ body, fields }: Form): { field: string; body: Record<string, unknown> }[] {
  return Object.entries(fields).flatMap(([field, { kind, max, isOptional }]) => {
    const tooLong = max === undefined ? [] : ['x'.repeat(max + 1), '🕰'.repeat(max + 1)]
    const missing = isOptional ? [] : [undefined, null]
    const wrong = [...badValues[kind], ...tooLong, ...missing]
    return wrong.map((value) => ({ field, body: { ...body, [field]: value } }))
  })
}

/** Returns texts that are not JSON, or are JSON that parsers read differently. */
export function malformedBodies({ body, fields }: Form): string[] {
  const json = JSON.stringify(body)
  const twice = Object.keys(body).map((field) => json.replace('{', `{${JSON.stringify(field)}:null,`))
  const [first = ''] = Object.keys(fields)
  const literal = ['NaN', 'Infinity', '-', '01', 'undefined', "'a'"].map(
    (value) => `{${JSON.stringify(first)}:${value}}`,
  )
  const broken = ['', ' ', 'null', '7', '"text"', '[]', '{', `${json},`, `${json}${json}`, json.slice(0, -1)]
  const poisoned = [
    json.replace('{', '{"__proto__":{"x":1},'),
    json.replace('{', '{"constructor":{"prototype":{"x":1}},'),
  ]
  return [...twice, ...literal, ...broken, ...poisoned, '['.repeat(30_000), `${'{"a":'.repeat(10_000)}1`]
}
