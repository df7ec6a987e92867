import type { FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeadlineClass } from '../routing/route.ts'
import type { FindAsset } from './find-asset.ts'
import { createRetryBudget } from './retry-policy.ts'
import { failRequest, takeRetry } from './failed-request.ts'
import { serviceOf, targetOf, type ProxyHooks } from './forwarded-request.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { sendResponse } from './send-response.ts'

type Forwarder = Required<Pick<FastifyHttpProxyOptions, 'handler'> & Pick<ProxyHooks, 'onResponse' | 'onError'>>

export interface ForwarderOptions {
  deadlinesMs: Readonly<Record<DeadlineClass, number>>
  /** Maximum number of concurrent requests per service. */
  maxInFlight: number
  findAsset: FindAsset
}

/**
 * Creates the proxy plugin's handlers, which apply concurrency limits, deadlines and retries and send the responses.
 */
export function createForwarder({ deadlinesMs, maxInFlight, findAsset }: ForwarderOptions): Forwarder {
  const admit = limitConcurrency(maxInFlight)
  const retryBudget = createRetryBudget()

  function forward(request: FastifyRequest, reply: FastifyReply, hooks: ProxyHooks): void {
    // If the client disconnected during the checks, no `close` event will follow, so `admit` would count the request
    // until the process ends.
    if (reply.raw.destroyed) return void reply.hijack()
    const { route, path } = targetOf(request)
    const deadlineMs = deadlinesMs[route.deadline]
    const onDeadline = () => failRequest(reply, new Error(`No response within ${deadlineMs} ms.`))
    retryBudget.recordFirstAttempt()
    const deadline = admit({ service: serviceOf(request), priority: route.priority, deadlineMs, onDeadline }, reply)
    // Replaces the plugin's default, which retries a GET ten times after a 503.
    const retryDelay: ProxyHooks['retryDelay'] = ({ err }) => takeRetry(retryBudget, reply, err)
    const ownHooks = { ...hooks, ...bodyOf(request), timeout: deadlineMs, retryDelay }
    request.forwarding = { hooks: ownHooks, deadline, retries: 0 }
    reply.from(path, ownHooks)
  }

  return {
    handler: (request, reply, _destination, hooks) => forward(request, reply, hooks),
    // Errors are caught here, because the plugin does not await this handler, and an unhandled rejection would end the
    // process.
    onResponse: (_request, reply, { stream }) => {
      sendResponse({ retryBudget, findAsset }, reply, stream).catch((error: unknown) => reply.send(error))
    },
    onError: (reply, { error }) => failRequest(reply, error),
  }
}

// Returns the body with a content type that stops the proxy plugin from serializing the Buffer as JSON.
// `upstreamHeaders` sets the real content type.
function bodyOf({ body }: FastifyRequest): ProxyHooks {
  return body instanceof Buffer ? { body, contentType: 'application/octet-stream' } : {}
}
