import { STATUS_CODES } from 'node:http'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyContextConfig } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { acceptsKey, keyForm, maxKeyLength } from './route-definition.ts'

type DescribeRoute = NonNullable<FastifyDynamicSwaggerOptions['transform']>
type DescribeService = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: maxKeyLength,
  pattern: keyForm.source,
  description:
    'Printable ASCII characters. For 24 hours, a request with the same key, user and body returns the first response and changes nothing.',
}

const QueryParameter = z.looseObject({
  description: z.string().optional(),
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  pattern: z.string().optional(),
})
const QuerySchema = z.looseObject({
  properties: z.record(z.string(), QueryParameter),
  required: z.array(z.string()).default([]),
})

/** Security schemes in a service's own OpenAPI document; the gateway's document declares the session cookie instead. */
export const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
} as const

/** Converts a route's zod schemas to OpenAPI. Adds the optional Idempotency-Key header and the security requirement. */
export const describeRoute: DescribeRoute = (document) => {
  const { schema, url } = jsonSchemaTransform(document)
  const { route } = document
  const described = {
    ...schema,
    querystring: allowEmptyParameters(schema?.querystring),
    response: addDescriptions(schema?.response),
    security: securityOf(route.config),
  }
  if (!acceptsKey(route)) return { schema: described, url }
  return { schema: { ...described, headers: withKey(schema?.headers) }, url }
}

const Choice = z.object({ schema: z.object({ anyOf: z.array(z.looseObject({ type: z.string().optional() })) }) })
const OperationWithChoice = z.object({ requestBody: z.object({ content: z.object({ 'application/json': Choice }) }) })

/**
 * Completes the OpenAPI document of a service: a body whose schema accepts null is optional, because null represents a
 * missing body.
 */
export const describeService: DescribeService = (document) => {
  const described = jsonSchemaTransformObject(document)
  const operations: unknown[] = Object.values(described.paths ?? {}).flatMap((path) => Object.values(path ?? {}))
  for (const operation of operations.filter(hasChoiceOfBodies)) {
    const { schema } = operation.requestBody.content['application/json']
    const bodies = schema.anyOf.filter(({ type }) => type !== 'null')
    if (bodies.length < schema.anyOf.length) Object.assign(operation.requestBody, { required: false })
    schema.anyOf = bodies
  }
  return described
}

function hasChoiceOfBodies(operation: unknown): operation is z.output<typeof OperationWithChoice> {
  return OperationWithChoice.safeParse(operation).success
}

// Documents that optional query parameters can be empty, because `querySchema` treats an empty parameter as missing.
function allowEmptyParameters(querystring: unknown): unknown {
  const query = QuerySchema.safeParse(querystring)
  if (!query.success) return querystring
  const { properties, required } = query.data
  const parameters = Object.entries(properties).map(([name, { description, ...shape }]) => {
    const schema =
      required.includes(name) || acceptsEmpty(shape) ? shape : { anyOf: [shape, { type: 'string', maxLength: 0 }] }
    return [name, { ...schema, ...(description !== undefined && { description }) }]
  })
  return { ...query.data, properties: Object.fromEntries(parameters) }
}

function acceptsEmpty({ type, enum: values, pattern }: z.output<typeof QueryParameter>): boolean {
  return type === 'string' && values === undefined && (pattern === undefined || new RegExp(pattern).test(''))
}

function withKey(headers: unknown) {
  const given = typeof headers === 'object' && headers !== null ? headers : {}
  const properties = 'properties' in given && typeof given.properties === 'object' ? given.properties : {}
  return { ...given, type: 'object', properties: { ...properties, 'Idempotency-Key': idempotencyKey } }
}

// Returns the OpenAPI security requirements of a route. An empty requirement (`{}`) makes the token optional.
function securityOf(config: FastifyContextConfig | undefined): Record<string, string[]>[] {
  if (config?.ignoresSession === true) return []
  return config?.open === true ? [{}, { accessToken: [] }] : [{ accessToken: [] }]
}

// Adds a description to each response. The OpenAPI plugin reads the description from the property `description` for a
// `$ref`, and from `x-response-description` for an inline schema.
function addDescriptions(response: unknown): Record<string, unknown> {
  const described = Object.entries(response ?? {}).map(([status, shape]) => {
    const property = Object.hasOwn(shape, '$ref') ? 'description' : 'x-response-description'
    return [status, { ...shape, [property]: STATUS_CODES[status] ?? status }]
  })
  return Object.fromEntries(described)
}
