import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

const undeclared: string[] = []

// Fastify publishes every new app, so no code of the services is needed. This module is loaded once per process.
subscribe('fastify.initialization', (message) => {
  if (isInitialization(message)) recordUndeclared(message.fastify)
})

/** Returns the responses since the last call whose status their route does not declare, and forgets them. */
export function takeUndeclared(): string[] {
  return undeclared.splice(0)
}

// A route without response schemas, such as that of a fake provider, declares nothing.
function recordUndeclared(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, routeOptions }, { statusCode }) => {
    const responses = routeOptions.schema?.response
    if (typeof responses !== 'object' || responses === null || statusCode in responses) return
    undeclared.push(`${method} ${routeOptions.url}: ${statusCode}`)
  })
}

function isInitialization(message: unknown): message is { fastify: FastifyInstance } {
  return typeof message === 'object' && message !== null && 'fastify' in message
}
