// What is no value of a field of this kind, whatever the field.

export type Kind = 'text' | 'id' | 'dollars' | 'boolean' | 'choice' | 'whole' | 'list' | 'time' | 'code'

const nul = 'a\u0000b'
const half = 'a\uD800'
const structures = [{}, { $gt: '' }, [], ['a'], { __type: 'x' }]
const notText = [7, true, ...structures]

/** Values that a field of a kind never takes. */
export const badValues: Record<Kind, readonly unknown[]> = {
  text: [...notText, nul, half],
  code: [...notText, nul, half, '', '   '],
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
  /** Code points. */
  max?: number
  /** It may be left out, or be null. */
  isOptional?: boolean
}

export interface Form {
  /** A body that is well-formed, and names nothing that there is. */
  body: Readonly<Record<string, unknown>>
  fields: Readonly<Record<string, Field>>
}

/** The bodies that are this one but for one wrong field, each with the field's name. */
export function spoilt({ body, fields }: Form): { field: string; body: Record<string, unknown> }[] {
  return Object.entries(fields).flatMap(([field, { kind, max, isOptional }]) => {
    const tooLong = max === undefined ? [] : ['x'.repeat(max + 1), '🕰'.repeat(max + 1)]
    const missing = isOptional ? [] : [undefined, null]
    const wrong = [...badValues[kind], ...tooLong, ...missing]
    return wrong.map((value) => ({ field, body: { ...body, [field]: value } }))
  })
}

/** Texts that are no JSON, or JSON that could be read in two ways. */
export function unreadable({ body, fields }: Form): string[] {
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
