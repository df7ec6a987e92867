import { differences, undocumented, type Difference, type Place } from './differences.ts'
import type { Extract, JsonSchema, ObjectSchema } from './extract.ts'

/** Applies the differences to the extract. Returns the API in the SDK's version. */
export function toPinnedApi(extract: Extract, changes: readonly Difference[] = differences): Extract {
  const api = structuredClone(extract)
  for (const { removed = [], added = [], addedValues } of changes) {
    for (const place of removed) removeFrom(api, place)
    for (const { place, schema } of added) addTo(api, place, schema)
    for (const place of addedValues?.places ?? []) addValues(api, place, addedValues?.values ?? [])
  }
  for (const place of undocumented) addTo(api, place, { type: 'null' })
  return api
}

/** Returns the enum values of a schema, its elements or its alternatives; an empty list when there is no enum. */
export function valuesOf(schema: JsonSchema): (string | null)[] {
  return listsIn(schema).flat()
}

function removeFrom(api: Extract, [owner, property]: Place): void {
  const { properties } = ownerOf(api, owner)
  if (properties[property] === undefined) throw outdated([owner, property])
  delete properties[property]
}

function addTo(api: Extract, [owner, property]: Place, schema: JsonSchema): void {
  const { properties } = ownerOf(api, owner)
  if (properties[property] !== undefined) throw outdated([owner, property])
  properties[property] = schema
}

function addValues(api: Extract, [owner, property]: Place, values: readonly string[]): void {
  const [list] = listsIn(ownerOf(api, owner).properties[property] ?? false)
  if (!list || values.some((value) => list.includes(value))) throw outdated([owner, property])
  list.push(...values)
}

function ownerOf(api: Extract, name: string): ObjectSchema {
  const owner = api.requests[name] ?? api.definitions[name]
  if (!owner) throw new Error(`${name} is not in the extract.`)
  return owner
}

function outdated(place: Place): Error {
  return new Error(`The extract has this difference already: ${place.join(' ')}`)
}

function listsIn(schema: JsonSchema): (string | null)[][] {
  if (typeof schema === 'boolean') return []
  if (schema.enum) return [schema.enum]
  return [schema.items ?? false, ...(schema.anyOf ?? [])].flatMap(listsIn)
}
