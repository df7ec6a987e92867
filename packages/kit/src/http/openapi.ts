import { STATUS_CODES } from 'node:http'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

type DescribeRoute = NonNullable<FastifyDynamicSwaggerOptions['transform']>

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'For 24 hours the same key gives the first answer again, and nothing happens twice.',
}

/** Converts a route's zod schemas to OpenAPI. Adds the optional Idempotency-Key header to writes that require a session. */
export const describeRoute: DescribeRoute = (document) => {
  const { schema, url } = jsonSchemaTransform(document)
  const { method, config } = document.route
  const response = addDescriptions(schema?.response)
  if (method === 'GET' || method === 'HEAD' || config?.open === true) return { schema: { ...schema, response }, url }
  const headers = { type: 'object', properties: { 'Idempotency-Key': idempotencyKey } }
  return { schema: { ...schema, response, headers }, url }
}

// Adds a description to each response. The OpenAPI plugin reads it from the property `description` for a `$ref`, and from
// `x-response-description` for an inline schema.
function addDescriptions(response: unknown): Record<string, unknown> {
  const described = Object.entries(response ?? {}).map(([status, shape]) => {
    const property = Object.hasOwn(shape, '$ref') ? 'description' : 'x-response-description'
    return [status, { ...shape, [property]: STATUS_CODES[status] ?? status }]
  })
  return Object.fromEntries(described)
}
