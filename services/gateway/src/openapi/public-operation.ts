import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { providerPattern } from '../routing/parameters.ts'
import type { Route } from '../routing/route.ts'

type Operation = Readonly<Record<string, unknown>>

const Parameters = z.array(z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown() }))

const parameterSchemas: Readonly<Record<string, object>> = {
  id: { type: 'string', format: 'uuid', pattern: z.regexes.uuid7.source },
  provider: { type: 'string', pattern: providerPattern.source },
}

/** Security schemes of the public API, with the session cookie's name as used over HTTPS. */
export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-access',
    description:
      'Set by POST /api/sessions together with the cookie __Host-refresh, with which the gateway replaces an expired access cookie.',
  },
  stripeSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'Signature of the raw body, see https://docs.stripe.com/webhooks/signature.',
  },
} as const

/**
 * Converts an operation in a service's document to the public operation, with the security and the error responses that
 * the gateway adds.
 */
export function publicOperation(route: Route, operation: Operation): Operation {
  return {
    tags: [route.to],
    ...operation,
    ...describeParameters(operation),
    security: securityOf(route),
    responses: { ...problemsOf(gatewayStatuses(route)), ...responsesOf(operation) },
  }
}

// Adds to the path parameters the formats that the gateway checks.
function describeParameters({ parameters }: Operation): { parameters?: unknown[] } {
  const given = Parameters.safeParse(parameters)
  if (!given.success) return {}
  const described = given.data.map((parameter) =>
    parameter.in === 'path'
      ? { ...parameter, schema: parameterSchemas[parameter.name] ?? parameter.schema }
      : parameter,
  )
  return { parameters: described }
}

function securityOf({ session, rate }: Route): Record<string, string[]>[] {
  if (rate === 'webhook') return [{ stripeSignature: [] }]
  if (session === 'none') return []
  return session === 'closed' ? [{ session: [] }] : [{}, { session: [] }]
}

// Statuses of every operation: 400 for a malformed URL, host or body length, 413 and 414 for a request that is too
// large, 429 for an exceeded rate limit, 503 for overload or an unavailable service.
const statusesOfAll = [400, 413, 414, 429, 503]

/** Returns the statuses of the errors that the gateway itself, not the service, can send for a route. */
export function gatewayStatuses({ session, body, isWrite, template }: Route): number[] {
  return [
    ...statusesOfAll,
    ...(session === 'closed' ? [401] : []),
    // For requests that the origin check rejects.
    ...(isWrite && body !== 'raw' ? [403] : []),
    ...(template.includes('{') ? [404] : []),
    ...(body === 'json' ? [415] : []),
  ]
}

function problemsOf(statuses: readonly number[]): Record<number, unknown> {
  const schema = { $ref: '#/components/schemas/Problem' }
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: STATUS_CODES[status], content: { 'application/json': { schema } } },
    ]),
  )
}

function responsesOf({ responses }: Operation): object {
  return typeof responses === 'object' && responses !== null ? responses : {}
}
