import type { OpenApiSchema, PublishedDocument } from './document.ts'
import { nameOf, usedCalls, usedSchemas } from './used-parts.ts'

/** The subset of JSON Schema that is used here. `false` accepts nothing: the part was left out of the extract. */
export type JsonSchema =
  | boolean
  | {
      $ref?: string
      type?: string | string[]
      enum?: (string | null)[]
      maxLength?: number
      pattern?: string
      properties?: Record<string, JsonSchema>
      required?: string[]
      additionalProperties?: JsonSchema
      items?: JsonSchema
      anyOf?: JsonSchema[]
    }

export type ObjectSchema = { properties: Record<string, JsonSchema> } & Exclude<JsonSchema, boolean>

/** The used part of Stripe's OpenAPI document as JSON Schema. */
export interface Extract {
  source: string
  version: string
  /** By call, such as `GET /v1/refunds/{id}`: the parameters of form or query. */
  requests: Record<string, ObjectSchema>
  /** By call: the body of the response. */
  responses: Record<string, JsonSchema>
  definitions: Record<string, ObjectSchema>
}

type Nested = ReadonlySet<string>

export function extractUsedParts(document: PublishedDocument, source: string): Extract {
  const calls = usedCalls.map((call) => {
    const operation = document.operation(call.method, call.path)
    const nested = new Set(call.nested)
    const fromForm = operation.requestBody.content['application/x-www-form-urlencoded'].schema
    const query = operation.parameters.filter((parameter) => parameter.in === 'query')
    const parameters = {
      ...fromForm.properties,
      ...Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    }
    const request = toObject({ properties: parameters, required: fromForm.required }, nested)
    const response = toJsonSchema(operation.responses[200].content['application/json'].schema, new Set(['data']))
    return { name: nameOf(call), request, response }
  })
  return {
    source,
    version: document.version,
    requests: Object.fromEntries(calls.map(({ name, request }) => [name, request])),
    responses: Object.fromEntries(calls.map(({ name, response }) => [name, response])),
    definitions: Object.fromEntries(
      Object.keys(usedSchemas).map((name) => [name, toObject(document.schema(name), new Set())]),
    ),
  }
}

function toObject({ properties = {}, required = [] }: OpenApiSchema, nested: Nested): ObjectSchema {
  const converted = Object.entries(properties).map(([name, schema]) => {
    const isLeftOut = hasFields(schema) && !nested.has(name)
    return [name, isLeftOut ? leftOut(schema) : toJsonSchema(schema, nested)] as const
  })
  // Stricter than Stripe's document for responses: the card network sends no undocumented field.
  return { type: 'object', properties: Object.fromEntries(converted), required, additionalProperties: false }
}

function toJsonSchema(schema: OpenApiSchema, nested: Nested): JsonSchema {
  const { $ref, nullable = false, properties, additionalProperties } = schema
  if ($ref !== undefined) return toReference($ref)
  if (schema.anyOf) return toUnion(schema, nested)
  if (properties) return toObject(schema, nested)
  const { type, maxLength, pattern, items } = schema
  return {
    ...(type && { type: nullable ? [type, 'null'] : type }),
    ...(schema.enum && { enum: nullable ? [...schema.enum, null] : schema.enum }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(items && { items: toJsonSchema(items, nested) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : toJsonSchema(additionalProperties, nested),
    }),
  }
}

function toReference($ref: string): JsonSchema {
  const name = $ref.split('/').at(-1) ?? ''
  return name in usedSchemas ? { $ref: `#/definitions/${name}` } : false
}

function toUnion(
  { anyOf = [], nullable, 'x-expansionResources': expansion }: OpenApiSchema,
  nested: Nested,
): JsonSchema {
  // Nothing is expanded here, so an expandable field is an id.
  const members = expansion === undefined ? anyOf : anyOf.filter(({ $ref }) => $ref === undefined)
  const alternatives = members.map((member) => toJsonSchema(member, nested)).filter((member) => member !== false)
  const all = nullable ? [...alternatives, { type: 'null' }] : alternatives
  return all.length > 1 ? { anyOf: all } : (all[0] ?? false)
}

function hasFields({ properties, anyOf = [], items }: OpenApiSchema): boolean {
  return properties !== undefined || anyOf.some(hasFields) || (items !== undefined && hasFields(items))
}

// An empty string unsets a parameter. The other alternatives of a union that are not objects stay, too.
function leftOut({ anyOf = [], nullable = false }: OpenApiSchema): JsonSchema {
  return toUnion({ anyOf: anyOf.filter((member) => !hasFields(member)), nullable }, new Set())
}
