import type { Extract, JsonSchema, ObjectSchema } from './extract.ts'
import { valuesOf } from './pinned-api.ts'
import type { SdkShapes } from './sdk-shapes.ts'

/** Returns the names of parameters and fields, and their values, that differ from the SDK's types. */
export function compareWithSdk({ requests, definitions }: Extract, shapes: SdkShapes): string[] {
  return [...shapes].flatMap(([owner, shape]) => {
    const schema = requests[owner] ?? definitions[owner]
    const found = schema ? compareFields(schema, shape) : ['is not in the extract']
    return found.map((difference) => `${owner} ${difference}`)
  })
}

function compareFields({ properties }: ObjectSchema, shape: ReadonlyMap<string, readonly string[]>): string[] {
  const names = new Set([...Object.keys(properties), ...shape.keys()])
  return [...names].flatMap((name) => {
    const [schema, values] = [properties[name], shape.get(name)]
    if (schema === undefined) return [`${name}: only the SDK has it`]
    if (!values) return [`${name}: only the document has it`]
    return compareValues(schema, values).map((difference) => `${name}: ${difference}`)
  })
}

// An empty value unsets a parameter; the SDK expresses that differently.
function compareValues(schema: JsonSchema, values: readonly string[]): string[] {
  const documented = valuesOf(schema).filter((value): value is string => value !== null && value !== '')
  if (documented.length === 0) return []
  const added = values.filter((value) => value !== '' && !documented.includes(value))
  const gone = documented.filter((value) => !values.includes(value))
  return [
    ...added.map((value) => `only the SDK takes ${value}`),
    ...gone.map((value) => `only the document takes ${value}`),
  ]
}
