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

/** A route as its zod schemas say it; a write of somebody signed in with its optional Idempotency-Key. */
export const describeRoute: DescribeRoute = (document) => {
  const { schema, url } = jsonSchemaTransform(document)
  const { method, config } = document.route
  const response = nameStatuses(schema?.response)
  if (method === 'GET' || method === 'HEAD' || config?.open === true) return { schema: { ...schema, response }, url }
  const headers = { type: 'object', properties: { 'Idempotency-Key': idempotencyKey } }
  return { schema: { ...schema, response, headers }, url }
}

// The plugin reads a response's description from one place beside a reference and from another in a shape.
function nameStatuses(response: unknown): Record<string, unknown> {
  const named = Object.entries(response ?? {}).map(([status, shape]) => {
    const place = Object.hasOwn(shape, '$ref') ? 'description' : 'x-response-description'
    return [status, { ...shape, [place]: STATUS_CODES[status] ?? status }]
  })
  return Object.fromEntries(named)
}
