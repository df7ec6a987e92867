import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import { counter } from '../telemetry/metrics.ts'
import { validationMessage } from './validation-message.ts'
import { DomainError, problemOf, RepeatedProblem, type Problem, type ProblemDetail } from '../errors/problem.ts'
import { isUnavailable } from '../errors/transient-error.ts'

const retryAfterSeconds = 1

const abortedRequests = counter(
  'http_aborted_requests_total',
  'Requests whose client closed the connection before the body was complete.',
)

const quotaRefusals = counter(
  'quota_refusals_total',
  'Requests that were refused because a quota is used up, by quota.',
  ['quota'],
)
// Matches the error code of a response that reports a used-up quota, such as `too_many_listings`.
const quotaCode = /^too_many_(.+)$/

const problemsByStatus: Record<number, { code: string; message: string }> = {
  400: { code: 'malformed', message: 'The request could not be read.' },
  404: { code: 'not_found', message: 'No resource exists at this address.' },
  405: { code: 'method_not_allowed', message: 'This address does not support that method.' },
  413: { code: 'too_large', message: 'The request is too large.' },
  414: { code: 'too_large', message: 'The address is too long.' },
  415: { code: 'unsupported_media_type', message: 'Send application/json.' },
  429: { code: 'too_many_requests', message: 'Too many requests. Please slow down.' },
  431: { code: 'too_large', message: 'The headers are too large.' },
  503: { code: 'unavailable', message: 'This is not available right now. Please try again shortly.' },
}

/**
 * Sends every error of an app as `{ error, code, details? }`. An error of an unavailable database or service is logged
 * as a warning and sent as 503. Unexpected errors are logged once and sent as 500.
 */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(knownProblem(404).body))
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (isAborted(error, request)) {
      abortedRequests.inc()
      return reply.code(400).send(knownProblem(400).body)
    }
    const problem = toProblem(error)
    countQuotaRefusal(problem)
    if (problem.status === 500) request.log.error({ err: error }, 'unexpected error')
    const cause = error instanceof DomainError ? error.cause : error
    if (problem.status === 503 && cause !== undefined) request.log.warn({ err: cause }, 'unavailable')
    const isRetryable = problem.status === 503 || problem.status === 429
    if (isRetryable && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterOf(error))
    return reply.code(problem.status).send(problem.body)
  })
}

function countQuotaRefusal({ status, body }: Problem): void {
  const quota = quotaCode.exec(body.code)?.[1]
  if (status === 409 && quota !== undefined) quotaRefusals.inc({ quota })
}

function retryAfterOf(error: FastifyError | DomainError): number {
  return (error instanceof DomainError ? error.retryAfterSeconds : undefined) ?? retryAfterSeconds
}

// Returns whether the client closed the connection before the request body was complete. Such a request is not logged
// as a server error.
function isAborted(error: FastifyError, { raw }: FastifyRequest): boolean {
  return error.code === 'ECONNRESET' && raw.readableAborted
}

/**
 * Handles errors that occur before the router has found a route. Replaces Fastify's default response, which has another
 * format and repeats the requested path.
 */
export function handleRouterError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  // An id that is too long for the router causes 404, like every other invalid id in a path.
  const status = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? 404 : (error.statusCode ?? 400)
  const { code, message } = problemsByStatus[status] ?? { code: 'refused', message: 'The request was refused.' }
  void reply.code(status).send({ error: message, code })
}

function toProblem(error: FastifyError | DomainError | RepeatedProblem): Problem {
  if (error instanceof DomainError) return problemOf(error)
  if (error instanceof RepeatedProblem) return error.problem
  if (hasZodFastifySchemaValidationErrors(error)) return invalidProblem(error)
  const status = error.statusCode
  if (status !== undefined && status < 500 && !isResponseSerializationError(error))
    return knownProblem(status, error.message)
  if (isUnavailable(error)) return knownProblem(503)
  return { status: 500, body: { error: 'Something went wrong on our side.', code: 'internal' } }
}

function knownProblem(status: number, detail?: string): Problem {
  const { code, message } = problemsByStatus[status] ?? {
    code: 'refused',
    message: detail ?? 'The request was refused.',
  }
  const body = { error: message, code }
  return { status, body: status === 400 && detail ? { ...body, details: [{ path: 'body', message: detail }] } : body }
}

interface ValidationError {
  validation: readonly { instancePath: string; message?: string }[]
  validationContext?: string
}

// Builds the response for invalid input. Its field `error` is a sentence about the first violated rule, built from
// zod's message and the field's name.
function invalidProblem(error: ValidationError): Problem {
  const details = error.validation.map((issue) => detailOf(issue, error.validationContext))
  const first = details[0] ?? { path: 'body', message: 'Is not valid' }
  return { status: 400, body: { error: validationMessage(first), code: 'invalid', details } }
}

function detailOf(issue: { instancePath: string; message?: string }, context = 'body'): ProblemDetail {
  const path = issue.instancePath.split('/').filter(Boolean).join('.')
  return { path: path || context, message: issue.message ?? 'Is not valid' }
}
