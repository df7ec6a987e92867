import { STATUS_CODES } from 'node:http'
import type { Route } from '../routing/route.ts'

type Operation = Readonly<Record<string, unknown>>

/**
 * Security schemes of the public API. The name of the cookie is that of a public origin with HTTPS. On loopback, the name
 * contains the port.
 */
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

/** Converts an operation of a service to the public one, with the security and the error responses of the gateway's route. */
export function publicOperation(route: Route, operation: Operation): Operation {
  return {
    tags: [route.to],
    ...operation,
    security: securityOf(route),
    responses: { ...problemsOf(gatewayStatuses(route)), ...responsesOf(operation) },
  }
}

function securityOf({ session, rate }: Route): Record<string, string[]>[] {
  if (rate === 'webhook') return [{ stripeSignature: [] }]
  if (session === 'none') return []
  return session === 'closed' ? [{ session: [] }] : [{}, { session: [] }]
}

// Each operation: 400 for a malformed target, host or length, 413 and 414 for a request that is too large, 429 for a rate
// limit, 503 for overload or an unavailable service.
const statusesOfAll = [400, 413, 414, 429, 503]

/** Statuses of the errors that the gateway returns on a route itself. */
export function gatewayStatuses({ session, body, isWrite, template }: Route): number[] {
  return [
    ...statusesOfAll,
    ...(session === 'closed' ? [401] : []),
    // The origin check.
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
